import { nodeResponse } from '../node/classes.js';
import type { Http2Response } from './messages.js';
import { sendHead } from './response-head.js';
import { finishResponse } from './response-end.js';
import { kHead, kNeedsDrain, kStream } from './symbols.js';
import { answerWhole } from './whole-answer.js';

/** node's own methods, for errors: they send nothing then, and report the same errors as over HTTP/1. */
const { write: nodeWrite, end: nodeEnd } = nodeResponse;

function isBody(chunk: unknown): chunk is string | Uint8Array {
  return typeof chunk === 'string' || chunk instanceof Uint8Array;
}

function isGone({ [kStream]: stream }: Http2Response): boolean {
  return stream.destroyed || stream.closed;
}

/** As `http.ServerResponse`; for a slow client the window of its stream decides. */
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
  if (answerWhole(res, body, charset)) return;
  const stream = res[kStream];
  if (res[kHead] !== null) sendHead(res, true, body === null);
  if (isGone(res)) return;
  // The stream has already ended: with its head, if there is no body, or at once for a HEAD request.
  if (!stream.writableEnded) {
    const done = (error?: Error | null): void => {
      if (!error) finishResponse(res);
    };
    if (body !== null) stream.end(body, charset, done);
    else stream.end(done);
  } else if (stream.writableFinished) process.nextTick(finishResponse, res);
  else stream.once('finish', () => finishResponse(res));
}
