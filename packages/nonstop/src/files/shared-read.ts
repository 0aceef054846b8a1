import { AsyncResource } from 'node:async_hooks';
import { setRealImmediate } from '../core/clock.js';
import { isReplaced } from './replaced.js';

/** A callback as in `node:fs`. An error of closing the file may come in a second call, after the result. */
type Done<T> = (error: NodeJS.ErrnoException | null, result?: T) => void;

/** @param size separates operations on one file that read different lengths */
type Operation<T> = (file: string, size: number, done: Done<T>) => void;

/** A caller that waits for the next operation; its callback runs in its own async context. */
class Late<T> extends AsyncResource {
  readonly done: Done<T>;

  constructor(done: Done<T>) {
    super('FSREQCALLBACK');
    this.done = done;
  }
}

interface Running<T> {
  readonly file: string;
  readonly size: number;
  late: Late<T>[] | null;
}

/** More than the operations that a thread pool runs at a time; a power of two. */
const PLACES = 256;

/**
 * Lets requests for the same file at the same time share one operation of the file system. A request that comes while an
 * operation runs waits for the next one, which starts when the first is done and serves all that wait. So every result
 * was read after it was asked for. Nothing is shared while a program has replaced a function of `node:fs`.
 *
 * Each file has a place in a list of fixed length. If another file uses that place, the operation is not shared. A map
 * was tried: its deleted entries stay alive for a while, which cost 10 % when each request wants another file.
 *
 * Measured: docs/decisions/0011.
 */
export function shareReads<T>(operation: Operation<T>): Operation<T> {
  const running: (Running<T> | null)[] = Array.from({ length: PLACES }, () => null);

  function start(place: number, run: Running<T>, done: Done<T>): void {
    running[place] = run;
    try {
      operation(run.file, run.size, (error, result) => {
        if (running[place] === run) goOn(place, run);
        done(error, result);
      });
    } catch (error) {
      running[place] = null;
      throw error;
    }
  }

  function goOn(place: number, { file, size, late }: Running<T>): void {
    running[place] = null;
    if (late === null) return;
    // A program's function may choose the file by the request that it is called for.
    if (isReplaced()) {
      each(late, (one) => one.runInAsyncScope(operation, undefined, file, size, one.done));
      return;
    }
    let told = false;
    start(place, { file, size, late: null }, (error, result) => {
      const closing = told;
      told = true;
      each(late, (one) => {
        // Each caller gets its own copy of an error, because error handling writes to it.
        if (error === null) one.runInAsyncScope(one.done, undefined, null, result);
        else if (closing) one.runInAsyncScope(one.done, undefined, Object.assign(new Error(error.message), error));
        else one.runInAsyncScope(operation, undefined, file, size, one.done);
      });
    });
  }

  return (file, size, done) => {
    if (isReplaced()) {
      operation(file, size, done);
      return;
    }
    const place = placeOf(file);
    const run = running[place];
    if (run === null) start(place, { file, size, late: null }, done);
    else if (run.file === file && run.size === size) (run.late ??= []).push(new Late(done));
    else operation(file, size, done);
  };
}

/** A hash of the end of the path, because files of one folder differ there. */
function placeOf(file: string): number {
  let sum = file.length;
  for (let i = Math.max(file.length - 12, 0); i < file.length; i++) sum = (sum * 31 + file.charCodeAt(i)) | 0;
  return (sum ^ (sum >>> 8)) & (PLACES - 1);
}

/** When one callback throws, the others are still called. */
function each<T>(late: readonly Late<T>[], tell: (one: Late<T>) => void): void {
  let told = 0;
  try {
    while (told < late.length) tell(late[told++]);
  } finally {
    if (told < late.length) setRealImmediate(() => each(late.slice(told), tell));
  }
}
