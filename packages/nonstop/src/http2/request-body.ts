import http2 = require('node:http2');
import { Readable } from 'node:stream';
import { abortedError } from '../core/errors.js';
import type { Http2Request } from './messages.js';
import { resetStream } from './reset.js';
import { kOther, kReading, kStream, kTrailers, Reading } from './symbols.js';

type Stream = http2.ServerHttp2Stream;
type ReadableConstructor = (this: object, options: object) => void;

/** Makes a request the stream that its reader expects. Nearly all requests without a body never become one. */
export function openStream(req: Http2Request): void {
  req[kReading] = Reading.Open;
  const { readableHighWaterMark } = req[kStream];
  (Readable as unknown as ReadableConstructor).call(req, { autoDestroy: true, highWaterMark: readableHighWaterMark });
}

/** The stream's `_read`: octets of the HTTP/2 stream flow while the reader wants more, which is what keeps its window open. */
export function readBody(this: Http2Request): void {
  const stream = this[kStream];
  if (this[kReading] === Reading.Flowing) {
    stream.resume();
    return;
  }
  startFlow(this);
}

export function startFlow(req: Http2Request): void {
  const { [kStream]: stream } = req;
  req[kReading] = Reading.Flowing;
  if (stream.endAfterHeaders) {
    endBody(req);
    return;
  }
  stream.on('data', (chunk: Buffer) => {
    if (!req.push(chunk)) stream.pause();
  });
  // A stream that the client reset ends as well, with less than was sent.
  stream.on('end', () => {
    if (stream.rstCode === http2.constants.NGHTTP2_NO_ERROR && !stream.aborted) endBody(req);
  });
}

function endBody(req: Http2Request): void {
  req.complete = true;
  req.push(null);
}

/** Trailers of a request come behind its body, whether or not that was read. */
export function keepTrailers(req: Http2Request, stream: Stream): void {
  stream.on('trailers', (_fields: object, _flags: number, raw?: string[]) => {
    (req[kTrailers] ??= []).push(...(raw ?? []));
  });
}

/**
 * The stream is gone: the client has reset it, or the session has ended. Told as `node:http` tells of a connection that is gone while its
 * answer is under way.
 */
export function abortRequest(req: Http2Request): void {
  if (req.destroyed) return;
  req.destroy(abortedError());
}

/** The stream's `_destroy`, as `http.IncomingMessage` has it: for its own end, for `req.destroy()` and for a client that is gone. */
export function destroyRequest(
  this: Http2Request,
  error: Error | null,
  callback: (error?: Error | null) => void,
): void {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
    // Without the stream there is no answer either.
    const { [kStream]: stream } = this;
    if (!this[kOther].finished || !stream.writableFinished) resetStream(stream, error);
  }
  process.nextTick(tellDestroyed, this, error, callback);
}

function tellDestroyed(req: Http2Request, error: Error | null, callback: (error?: Error | null) => void): void {
  callback(req.listenerCount('error') === 0 ? null : error);
}
