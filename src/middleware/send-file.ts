import { Stream } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { lazy } from '../core/lazy.js';
import { answerSmallFilesAtOnce } from './small-file.js';

const onFinished = lazy(() => require('on-finished') as typeof import('on-finished'));

/** A stream of the `send` package: it says what it found, and then pipes it. */
export interface SendStream extends Stream {
  pipe<T extends NodeJS.WritableStream>(res: T): T;
}

function failure(message: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}

/**
 * Sends a file and reports once: nothing when all of it was handed over, else EISDIR for a directory, ECONNABORTED
 * when the client went away, or the error of the file system or of `send`.
 *
 * @param headers fields to set when the file was found
 */
export function transfer(
  res: ServerResponse,
  file: SendStream,
  headers: Record<string, string | string[]> | undefined,
  done: (error?: NodeJS.ErrnoException) => void,
): void {
  let settled = false;
  let streaming: boolean | undefined;
  const settle = (error?: NodeJS.ErrnoException): void => {
    if (settled) return;
    settled = true;
    done(error);
  };
  const aborted = (): void => settle(failure('Request aborted', 'ECONNABORTED'));

  file.on('directory', () => settle(failure('EISDIR, read', 'EISDIR')));
  file.on('end', () => settle());
  file.on('error', settle);
  file.on('file', () => (streaming = false));
  file.on('stream', () => (streaming = true));
  onFinished()(res, (error: NodeJS.ErrnoException | null) => {
    if (error) return error.code === 'ECONNRESET' ? aborted() : settle(error);
    if (settled) return;
    // The file's own 'end' may still come in this turn. A response that ends while the file streams, or before it was
    // found, was ended by the client; one that needed no stream (304, HEAD) ends here.
    setImmediate(() => (streaming !== false ? aborted() : settle()));
  });
  if (headers !== undefined) {
    file.on('headers', (found: ServerResponse) => {
      for (const name of Object.keys(headers)) found.setHeader(name, headers[name]);
    });
  }
  answerSmallFilesAtOnce(file);
  file.pipe(res);
}
