import fs = require('node:fs');
import type { ServerResponse } from 'node:http';

/** What `send` reads at a time, and so the most that it would have written at once. */
const SMALL = 65_536;

/** Options of `fs.createReadStream()`, which `send` passes on, that change more than where to begin and to end. */
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
  /** The last octet. */
  readonly end: number;
}

/** The part of a stream of the `send` package that hands over the file, once it is found and the fields are set. */
interface Handover {
  readonly res: ServerResponse;
  stream(path: string, range: Range): void;
  onStatError(error: NodeJS.ErrnoException): void;
  emit(event: string, ...args: unknown[]): boolean;
}

/**
 * Lets a file of up to 64 KiB be read with one request to the file system and answered with one `end()`, which the engine
 * sends as it is, where `send` makes a stream of it and pipes that. Everything before (which file, conditions, ranges, fields)
 * stays with `send`, and so does the rest: larger files, options of the stream, responses that somebody has wrapped.
 *
 * Measured: docs/decisions/0011.
 */
export function answerSmallFilesAtOnce(file: object): void {
  const handover = file as Handover;
  const piped = handover.stream;
  if (typeof piped !== 'function') return;
  handover.stream = function (this: Handover, path: string, range: Range): void {
    const length = range.end - range.start + 1;
    if (length > SMALL || !isUntouched(this.res) || READ_OPTIONS.some((name) => name in range)) {
      piped.call(this, path, range);
      return;
    }
    this.emit('stream');
    readWhole(path, { start: range.start, length }, (error, content) => {
      const { res } = this;
      if (error !== null) this.onStatError(error);
      else if (!res.destroyed && !res.writableEnded) {
        res.end(content);
        this.emit('end');
      }
    });
  };
}

/** Nobody has wrapped what a pipe would call, nor waits to hear of one. */
function isUntouched(res: ServerResponse): boolean {
  return !Object.hasOwn(res, 'write') && !Object.hasOwn(res, 'end') && res.listenerCount('pipe') === 0;
}

type Read = (error: NodeJS.ErrnoException | null, content?: Buffer) => void;

/** Up to `length` octets of a file from `start` on: fewer when it has become shorter. */
function readWhole(path: string, { start, length }: { start: number; length: number }, done: Read): void {
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
        fs.close(fd);
        if (error !== null) done(error);
        else done(null, content.subarray(0, filled + count));
      });
    };
    readOn(0);
  });
}
