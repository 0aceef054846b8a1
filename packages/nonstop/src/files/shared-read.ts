import { AsyncResource } from 'node:async_hooks';
import { setRealImmediate } from '../core/clock.js';

/** As the callbacks of `node:fs`, but for an error of closing a file, which may come behind the result. */
type Done<T> = (error: NodeJS.ErrnoException | null, result?: T) => void;

/** @param size tells apart what two operations on one file are to bring */
type Operation<T> = (file: string, size: number, done: Done<T>) => void;

/** Who came while an operation was under way, to be told in his own async context, as by an operation of his own. */
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

/** More than a server's thread pool has at work; a power of two. */
const PLACES = 256;

/**
 * Lets those who want the same of a file at the same time share an operation of the file system: while one is under way, whoever comes waits for
 * the next, which begins when it is done and is for all of them. So what anybody gets was read after he had asked for it.
 *
 * Each file has its place in a list of fixed length, and where another is under way there it is read alone. A map was tried: what it forgets stays
 * alive for a while, which cost 10 % where each request wants another file.
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
    let told = false;
    start(place, { file, size, late: null }, (error, result) => {
      const closing = told;
      told = true;
      each(late, (one) => {
        // An error becomes that of a request, which writes to it, so each has to have his own.
        if (error === null) one.runInAsyncScope(one.done, undefined, null, result);
        else if (closing) one.runInAsyncScope(one.done, undefined, Object.assign(new Error(error.message), error));
        else one.runInAsyncScope(operation, undefined, file, size, one.done);
      });
    });
  }

  return (file, size, done) => {
    const place = placeOf(file);
    const run = running[place];
    if (run === null) start(place, { file, size, late: null }, done);
    else if (run.file === file && run.size === size) (run.late ??= []).push(new Late(done));
    else operation(file, size, done);
  };
}

/** By the end of the path, where files of one folder differ. */
function placeOf(file: string): number {
  let sum = file.length;
  for (let i = Math.max(file.length - 12, 0); i < file.length; i++) sum = (sum * 31 + file.charCodeAt(i)) | 0;
  return (sum ^ (sum >>> 8)) & (PLACES - 1);
}

/** Where one of them throws, which is nothing to those behind it, they have their turn all the same. */
function each<T>(late: readonly Late<T>[], tell: (one: Late<T>) => void): void {
  let told = 0;
  try {
    while (told < late.length) tell(late[told++]);
  } finally {
    if (told < late.length) setRealImmediate(() => each(late.slice(told), tell));
  }
}
