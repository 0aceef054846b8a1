import { hidden } from '../core/hidden.js';
import { NodeResponse } from '../node/classes.js';
import type { Http2Response } from './messages.js';
import { sendHead } from './response-head.js';
import { kFinished, kHead, kNeedsDrain, kReading, kStream, Reading } from './symbols.js';

type Method = (this: unknown, ...args: unknown[]) => never;

/** node's own, for what is an error: they find nothing to send then, and say what they say over HTTP/1. */
const { write: nodeWrite, end: nodeEnd } = hidden<Record<'write' | 'end', Method>>(NodeResponse.prototype);

function isBody(chunk: unknown): chunk is string | Uint8Array {
  return typeof chunk === 'string' || chunk instanceof Uint8Array;
}

function isGone({ [kStream]: stream }: Http2Response): boolean {
  return stream.destroyed || stream.closed;
}

/** As `http.ServerResponse`; where a client is slow, it is the window of its stream that says so. */
export function write(this: Http2Response, chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
  const done = typeof encoding === 'function' ? encoding : callback;
  const charset = typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';
  if (this.finished || this.destroyed || !isBody(chunk)) return nodeWrite.call(this, chunk, charset, done);
  if (this._header === null) this._implicitHeader();
  if (this._hasBody && this[kHead] !== null) sendHead(this, false, false);
  if (!this._hasBody || chunk.length === 0) {
    if (typeof done === 'function') process.nextTick(done);
    return true;
  }
  if (isGone(this)) return false;
  const stream = this[kStream];
  const room = stream.write(chunk, charset, done as (error?: Error | null) => void);
  if (!room && !this[kNeedsDrain]) {
    this[kNeedsDrain] = true;
    stream.once('drain', () => tellDrained(this));
  }
  return room;
}

function tellDrained(res: Http2Response): void {
  res[kNeedsDrain] = false;
  if (!res.finished) res.emit('drain');
}

/** As `http.ServerResponse`. */
export function end(this: Http2Response, ...args: unknown[]): Http2Response {
  const callback = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
  const chunk = typeof args[0] === 'function' ? null : args[0];
  const charset = typeof args[1] === 'string' ? (args[1] as BufferEncoding) : 'utf8';
  if (this.finished) return nodeEnd.call(this, chunk, charset, callback);
  if (chunk && !isBody(chunk)) return nodeWrite.call(this, chunk, charset, callback);
  const body = chunk && !this.destroyed ? (chunk as string | Uint8Array) : null;
  if (this._header === null) {
    this._contentLength = body === null ? 0 : Buffer.byteLength(body, charset);
    this._implicitHeader();
  }
  if (callback !== undefined) this.once('finish', callback);
  this.finished = true;
  finishStream(this, this._hasBody ? body : null, charset);
  return this;
}

function finishStream(res: Http2Response, body: string | Uint8Array | null, charset: BufferEncoding): void {
  const stream = res[kStream];
  if (res[kHead] !== null) sendHead(res, true, body === null);
  if (isGone(res)) return;
  // Ended before: by its head, which ends streams without a body, or for a HEAD request, when that came.
  if (!stream.writableEnded) {
    const done = (error?: Error | null): void => {
      if (!error) finishResponse(res);
    };
    if (body !== null) stream.end(body, charset, done);
    else stream.end(done);
  } else if (stream.writableFinished) process.nextTick(finishResponse, res);
  else stream.once('finish', () => finishResponse(res));
}

/** All of the answer has been handed over. A stream that was reset in the meantime ends its writing side as well. */
export function finishResponse(res: Http2Response): void {
  const { [kStream]: stream, req } = res;
  if (res[kFinished] || stream.aborted || stream.rstCode !== 0) return;
  res[kFinished] = true;
  res.emit('prefinish');
  res.emit('finish');
  // A listener would wait for the end of a body that nobody reads.
  if (req[kReading] === Reading.Open) req.resume();
  process.nextTick(closeResponse, res);
}

/** The last event of a response, whether its answer went out or its stream is gone. */
export function closeResponse(res: Http2Response): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}
