import { AsyncResource } from 'node:async_hooks';
import { kCollectBody, kUntouched } from '../core/shortcuts.js';
import type { BodyRequest } from './shape.js';
import { aborted, tooLarge, wrongSize } from './errors.js';

/** The outcome of reading: an error, or the bytes. */
export type Collected = (error: Error | null, bytes?: Buffer) => void;

/** The Content-Length as a number, null when there is none. */
export function expectedLength(req: BodyRequest): number | null {
  const field = req.headers['content-length'];
  return field != null && !Number.isNaN(Number(field)) ? parseInt(field, 10) : null;
}

/**
 * Whether `collect` may read a request: it has not been read, has no encoding set, and does not announce more than the
 * limit. The other cases are errors, which raw-body reports.
 */
export function isCollectable(req: BodyRequest, expected: number | null, limit: number): boolean {
  if (expected !== null && expected > limit) return false;
  // Reading `readable` would turn the request into a stream, which this case does not need.
  return req[kUntouched] === true || (req.readable && req.readableEncoding === null);
}

function join(chunks: Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/**
 * Reads the bytes of a request that needs no inflating. It does what raw-body does, for nearly all requests, without a
 * decoder and argument lists.
 *
 * `done` is called once, in the async context of the caller. The stream's events have the connection's context, where an
 * `AsyncLocalStorage` of the handler has no store. After an error the stream is paused and unpiped.
 */
export function collect(req: BodyRequest, expected: number | null, limit: number, done: Collected): void {
  const context = new AsyncResource('BodyParser');
  const chunks: Buffer[] = [];
  let received = 0;

  function settle(error: Error | null, bytes?: Buffer): void {
    release();
    if (error !== null) {
      req.unpipe();
      req.pause();
    }
    context.runInAsyncScope(done, null, error, bytes);
  }
  function onData(chunk: Buffer): void {
    received += chunk.length;
    if (received > limit) settle(tooLarge(limit, received));
    else chunks.push(chunk);
  }
  function onEnd(): void {
    if (expected !== null && received !== expected) settle(wrongSize(expected, received));
    else settle(null, join(chunks));
  }
  function onAborted(): void {
    settle(aborted(expected, received));
  }
  function release(): void {
    req.removeListener('aborted', onAborted);
    req.removeListener('close', release);
    req.removeListener('data', onData);
    req.removeListener('end', onEnd);
    req.removeListener('error', settle);
  }
  function listen(): void {
    req.on('aborted', onAborted);
    req.on('close', release);
    req.on('data', onData);
    req.on('end', onEnd);
    req.on('error', settle);
  }
  function whole(parts: Buffer[], size: number): void {
    // The Content-Length in `headers` may differ from the message: a program may have written to it.
    if (expected !== null && size !== expected) settle(wrongSize(expected, size));
    else context.runInAsyncScope(done, null, null, join(parts));
  }
  if (!req[kCollectBody]?.({ limit, whole, asStream: listen })) listen();
}
