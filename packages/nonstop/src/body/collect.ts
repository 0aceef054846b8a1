import { AsyncResource } from 'node:async_hooks';
import { kCollectBody, kUntouched, type BodyCollector, type BodyFields } from '../core/shortcuts.js';
import { Pieces } from '../core/pieces.js';
import { utf8Length } from '../core/strings.js';
import type { BodyRequest } from './shape.js';
import { aborted, tooLarge, wrongSize } from './errors.js';

/** What gets the outcome of reading, once: an error, or the bytes. A body in ASCII may be text instead, if the receiver takes it. */
export interface Receiver {
  readonly takesText?: boolean;
  done(error: Error | null, body?: Buffer | string): void;
}

/** The Content-Length as a number, null when there is none. */
export function expectedLength(fields: BodyFields): number | null {
  const field = fields['content-length'];
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

/** The body in a text with a character for each octet: the text itself if it is ASCII, which is the same in UTF-8; otherwise its octets. */
function decoded(text: string): Buffer | string {
  return utf8Length(text) === text.length ? text : Buffer.from(text, 'latin1');
}

function join(chunks: Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/**
 * Reads the bytes of a request that needs no inflating. It does what raw-body does, for nearly all requests, without a
 * decoder and argument lists.
 *
 * The receiver is called in the async context of the caller. The stream's events have the connection's context, where an
 * `AsyncLocalStorage` of the handler has no store. After an error the stream is paused and unpiped.
 */
export function collect(req: BodyRequest, expected: number | null, limit: number, receiver: Receiver): void {
  const collecting = new Collecting(req, expected, limit, receiver);
  if (!req[kCollectBody]?.(collecting)) collecting.asStream();
}

/** One body that is being collected. Listeners are made only for a request that is read as a stream. */
class Collecting implements BodyCollector {
  readonly goesOn = true;
  private readonly context = new AsyncResource('BodyParser');

  constructor(
    private readonly req: BodyRequest,
    readonly expected: number | null,
    readonly limit: number,
    private readonly receiver: Receiver,
  ) {}

  get takesText(): boolean {
    return this.receiver.takesText === true;
  }

  whole(parts: Buffer[] | string, size: number): void {
    const { expected } = this;
    // The Content-Length in `headers` may differ from the message: a program may have written to it.
    if (expected !== null && size !== expected) this.fail(wrongSize(expected, size));
    else this.settle(null, typeof parts === 'string' ? decoded(parts) : join(parts));
  }

  asStream(arrived?: Buffer): void {
    const pieces = new Pieces();
    if (arrived !== undefined) pieces.add(arrived);
    readStream(this.req, pieces, this, (error) => {
      if (error === null) this.settle(null, join(pieces.list));
      else this.fail(error);
    });
  }

  private fail(error: Error): void {
    this.req.unpipe();
    this.req.pause();
    this.settle(error);
  }

  private settle(error: Error | null, body?: Buffer | string): void {
    const { receiver } = this;
    this.context.runInAsyncScope(receiver.done, receiver, error, body);
  }
}

interface Bounds {
  readonly expected: number | null;
  readonly limit: number;
}

/** @param pieces those that have arrived, and gets the others */
function readStream(
  req: BodyRequest,
  pieces: Pieces,
  { expected, limit }: Bounds,
  done: (error: Error | null) => void,
): void {
  let received = pieces.size;

  function settle(error: Error | null): void {
    release();
    done(error);
  }
  /** @param chunk text if the program calls `setEncoding()` while the body comes; its length counts as raw-body counts it, in characters */
  function onData(chunk: Buffer | string): void {
    received += chunk.length;
    if (received > limit) settle(tooLarge(limit, received));
    else pieces.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }
  function onEnd(): void {
    settle(expected !== null && received !== expected ? wrongSize(expected, received) : null);
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
  req.on('aborted', onAborted);
  req.on('close', release);
  req.on('data', onData);
  req.on('end', onEnd);
  req.on('error', settle);
}
