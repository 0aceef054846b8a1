import fs = require('node:fs');
import type { ServerResponse } from 'node:http';
import { READ_FILE_IS_ONE_REQUEST } from '../node/differences.js';

/** `send` reads this much at a time, so it writes no more than this at once. */
export const SMALL = 65_536;

/** Options of `fs.createReadStream()`, which `send` passes on, that change more than the start and end. */
const READ_OPTIONS = [
  'flags',
  'encoding',
  'fd',
  'mode',
  'autoClose',
  'emitClose',
  'highWaterMark',
  'fs',
  'signal',
  'flush',
];

interface Range {
  readonly start: number;
  /** The index of the last octet. */
  readonly end: number;
}

/** The part of a `send` stream that transfers the file, after it is found and the fields are set. */
interface Handover {
  readonly res: ServerResponse;
  stream(path: string, range: Range): void;
  onStatError(error: NodeJS.ErrnoException): void;
  emit(event: string, ...args: unknown[]): boolean;
  on(event: 'file', listener: (path: string, stat: fs.Stats) => void): unknown;
}

/**
 * Reads a file of up to 64 KiB with one operation and sends it with one `end()`, where `send` would make a stream and
 * pipe it. Everything before that (finding the file, conditions, ranges, fields) stays with `send`, and so do larger
 * files, stream options, and responses whose methods are wrapped.
 *
 * Measured: docs/decisions/0011.
 *
 * @param tellsOfClosing whether an error of closing the file, after the response, is an error of the stream
 */
export function answerSmallFilesAtOnce(file: object, tellsOfClosing: boolean): void {
  const handover = file as Handover;
  const piped = handover.stream;
  if (typeof piped !== 'function') return;
  let found: fs.Stats | undefined;
  if (READ_FILE_IS_ONE_REQUEST) handover.on('file', (_, stat) => (found = stat));
  handover.stream = function (this: Handover, path: string, range: Range): void {
    const { start, end } = range;
    const length = end - start + 1;
    if (length > SMALL || !isPipedPlainly(this.res) || READ_OPTIONS.some((name) => name in range)) {
      piped.call(this, path, range);
      return;
    }
    this.emit('stream');
    const done: Read = (error, content) => {
      const { res } = this;
      if (error !== null) {
        if (tellsOfClosing || !res.writableEnded) this.onStatError(error);
      } else if (!res.destroyed && !res.writableEnded) {
        res.end(content);
        this.emit('end');
      }
    };
    readSmall(path, { start, length, whole: found?.size === length && found.isFile() }, done);
  };
}

/** Whether no code has wrapped the methods that a pipe calls, or listens for a pipe, and `end()` sends the same head as a pipe. */
export function isPipedPlainly(res: ServerResponse): boolean {
  return (
    !Object.hasOwn(res, 'write') &&
    !Object.hasOwn(res, 'end') &&
    res.listenerCount('pipe') === 0 &&
    isPlainDisposition(res.getHeader('Content-Disposition'))
  );
}

/** Other values are sent in Latin-1 by a pipe; node spoils them in a response whose length `end()` tells it. */
export function isPlainDisposition(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && !/[^\0-\x7f]/.test(value));
}

/** Gets the result of reading, and after it an error of closing the file: `send` responds before it closes. */
export type Read = (error: NodeJS.ErrnoException | null, content?: Buffer) => void;

interface Part {
  readonly start: number;
  readonly length: number;
  /** Whether this is a regular file, and its whole content when it was looked at. */
  readonly whole: boolean;
}

/** Reads up to `length` octets from `start`; fewer if the file has become shorter. */
export function readSmall(path: string, part: Part, done: Read): void {
  if (READ_FILE_IS_ONE_REQUEST && part.whole) readAll(path, part.length, done);
  else readPart(path, part, done);
}

/** Reads a regular file of `length` octets; not more, even if it has grown since. */
function readAll(path: string, length: number, done: Read): void {
  fs.readFile(path, (error, content) => {
    // The error discards the octets, so they are read again and sent before the file is closed.
    if (error?.syscall === 'close') readPart(path, { start: 0, length, whole: true }, done);
    else if (error !== null) done(error);
    else done(null, content.length > length ? content.subarray(0, length) : content);
  });
}

function readPart(path: string, { start, length }: Part, done: Read): void {
  fs.open(path, 'r', (failed, fd) => {
    if (failed !== null) {
      done(failed);
      return;
    }
    const content = Buffer.allocUnsafe(length);
    const readOn = (filled: number): void => {
      fs.read(fd, content, filled, length - filled, start + filled, (error, count) => {
        if (error === null && count > 0 && filled + count < length) {
          readOn(filled + count);
          return;
        }
        fs.close(fd, (failed) => {
          if (failed || error !== null) done(failed ?? error);
        });
        if (error === null) done(null, content.subarray(0, filled + count));
      });
    };
    readOn(0);
  });
}
