import fs = require('node:fs');
import type { ServerResponse } from 'node:http';
import { PIPES_CATCH, READ_FILE_IS_ONE_REQUEST } from '../node/differences.js';
import { isPipedPlainly } from './plain-pipe.js';
import { isReplaced } from './replaced.js';
import { sendInParts, type Range } from './file-in-parts.js';
import { closeWithConnection } from './waiting-file.js';

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

/** The part of a `send` stream that transfers the file, after it is found and the fields are set. */
interface Handover {
  readonly res: ServerResponse;
  stream(path: string, range: Range): void;
  onStatError(error: NodeJS.ErrnoException): void;
  emit(event: string, ...args: unknown[]): boolean;
  on(event: 'file', listener: (path: string, stat: fs.Stats) => void): unknown;
  on(event: 'stream', listener: (file: fs.ReadStream) => void): unknown;
}

/**
 * Reads a file of up to 64 KiB with one operation and sends it with one `end()`, a larger one in parts, where `send` would make a stream and
 * pipe it. Everything before that (finding the file, conditions, ranges, fields) stays with `send`, and so do stream options, and responses
 * whose methods are wrapped.
 *
 * Measured: docs/decisions/0011.
 *
 * @param tellsOfClosing whether an error of closing the file, after the response, is an error of the stream
 */
export function answerWithoutStream(file: object, tellsOfClosing: boolean): void {
  const handover = file as Handover;
  const piped = handover.stream;
  if (typeof piped !== 'function') return;
  let found: fs.Stats | undefined;
  if (READ_FILE_IS_ONE_REQUEST) handover.on('file', (_, stat) => (found = stat));
  // In a variable first: V8 makes a function that is written into a property in its old generation, which would keep the request until a full collection.
  const streamAtOnce = function (this: Handover, path: string, range: Range): void {
    const { start, end } = range;
    const length = end - start + 1;
    const isPlain = isOfPositions(range) && isPipedPlainly(this.res) && !READ_OPTIONS.some((name) => name in range);
    if (!isPlain || (length > SMALL && !maySendInParts(this.res))) {
      if (this.res.socket === null) this.on('stream', (file) => closeWithConnection(file, this.res));
      piped.call(this, path, range);
      return;
    }
    this.emit('stream');
    if (length > SMALL) {
      sendInParts(this.res, path, range, {
        failed: (error) => {
          if (tellsOfClosing || !this.res.writableEnded) this.onStatError(error);
        },
        ended: () => this.emit('end'),
      });
      return;
    }
    const done: Read = (error, content) => {
      const { res } = this;
      if (error !== null) {
        if (tellsOfClosing || !res.writableEnded) this.onStatError(error);
      } else if (!res.destroyed && !res.writableEnded) {
        if (endWith(res, content!)) this.emit('end');
      }
    };
    readSmall(path, { start, length, whole: found?.size === length && found.isFile() }, done);
  };
  handover.stream = streamAtOnce;
}

/** False for options that are not positions: `fs.createReadStream()` refuses them. */
function isOfPositions({ start, end }: Range): boolean {
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0;
}

/**
 * Whether a response can be sent in parts, whose next read waits for the callback of a write: it has its turn. A program that has replaced functions
 * of `node:fs` gets the calls of a stream.
 */
export function maySendInParts(res: ServerResponse): boolean {
  return res.socket !== null && !isReplaced();
}

/**
 * Ends a response with a file. An error of its head (an invalid status, a program's `writeHead` that throws) destroys the response on a Node
 * whose pipes do that.
 *
 * @param broken called before that
 * @returns whether it was ended
 */
export function endWith(res: ServerResponse, content: Buffer, broken?: () => void): boolean {
  try {
    res.end(content);
    return true;
  } catch (error) {
    // For an empty file a pipe only calls `end()`, and does not catch what that throws.
    if (!PIPES_CATCH || content.length === 0 || res.headersSent) throw error;
    broken?.();
    res.destroy(error as Error);
    return false;
  }
}

/**
 * Gets the result of reading, and after it an error of closing the file: `send` responds before it closes.
 *
 * `isGenuine`: whether each function of `node:fs` that was called for the content was node's own. One that a program has replaced, even if it
 * has put node's back since, may have read another file.
 */
export type Read = (error: NodeJS.ErrnoException | null, content?: Buffer, isGenuine?: boolean) => void;

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
  const isGenuine = !isReplaced();
  fs.readFile(path, (error, content) => {
    // Read again in parts. After a failed close `readFile()` drops the octets, which a stream sends before it closes; and its read errors name
    // the file, which those of a stream do not.
    if (error?.syscall === 'close' || error?.syscall === 'read')
      readPart(path, { start: 0, length, whole: true }, done);
    else if (error !== null) done(error);
    else done(null, content.length > length ? content.subarray(0, length) : content, isGenuine);
  });
}

function readPart(path: string, { start, length }: Part, done: Read): void {
  let isGenuine = !isReplaced();
  fs.open(path, 'r', (failed, fd) => {
    if (failed !== null) {
      done(failed);
      return;
    }
    const content = Buffer.allocUnsafe(length);
    const readOn = (filled: number): void => {
      isGenuine &&= !isReplaced();
      fs.read(fd, content, filled, length - filled, start + filled, (error, count) => {
        if (count > 0 && filled + count < length) {
          readOn(filled + count);
          return;
        }
        fs.close(fd, (failed) => {
          if (failed || error !== null) done(failed ?? error);
        });
        if (error === null) done(null, content.subarray(0, filled + count), isGenuine);
      });
    };
    readOn(0);
  });
}
