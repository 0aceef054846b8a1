import http2 = require('node:http2');
import { isUint8Array } from 'node:util/types';
import { nodesProcess } from '../core/clock.js';
import { kEndCallbacks } from '../node/message-state.js';
import { nodeResponse } from '../node/classes.js';
import { asBuffer } from '../node/octets.js';
import type { Http2Response } from './messages.js';
import { isEndedByHead } from './reset.js';
import { sendHead } from './response-head.js';
import { faultOf, finishAfterHead, finishResponse } from './response-end.js';
import { Delivery, kDelivery, kHead, kNeedsDrain, kStream } from './symbols.js';
import { answerWhole } from './whole-answer.js';

/** node's own methods, for errors: they send nothing then, and report the same errors as over HTTP/1. */
const { write: nodeWrite, end: nodeEnd } = nodeResponse;

function isBody(chunk: unknown): chunk is string | Uint8Array {
  return typeof chunk === 'string' || isUint8Array(chunk);
}

/** @throws if there are no octets because the memory was transferred, as the stream would */
function isEmpty(chunk: string | Uint8Array): boolean {
  if (chunk.length !== 0) return false;
  if (typeof chunk !== 'string') asBuffer(chunk);
  return true;
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
  if (this._hasBody && isGone(this)) {
    if (typeof done === 'function') nodesProcess.nextTick(done, faultOf(this, 'write'));
    return false;
  }
  if (!this._hasBody || isEmpty(chunk)) {
    if (typeof done === 'function') nodesProcess.nextTick(done);
    return true;
  }
  const stream = this[kStream];
  const told = typeof done === 'function' ? toldOf(this, done as Done) : undefined;
  const room = stream.write(chunk, charset, told as Done);
  if (!room && !this[kNeedsDrain]) {
    this[kNeedsDrain] = true;
    stream.once('drain', () => tellDrained(this));
  }
  return room;
}

type Done = (error?: Error | null) => void;

/** @returns the callback of a write, which hears of it if the stream was reset before the octets left: node drops them without an error then */
const toldOf =
  (res: Http2Response, done: Done): Done =>
  (error) =>
    done(error ?? (res[kDelivery] !== Delivery.Done && isReset(res) ? faultOf(res, 'write') : error));

function isReset({ destroyed, [kStream]: stream }: Http2Response): boolean {
  return destroyed || stream.aborted || stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR;
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
  // A part after `destroy()` is dropped, and the head with it.
  if (this._header === null && (body !== null || !chunk)) {
    this._contentLength = body === null ? 0 : Buffer.byteLength(body, charset);
    this._implicitHeader();
  }
  if (callback !== undefined) whenSent(this, callback);
  this.finished = true;
  try {
    finishStream(this, this._hasBody ? body : null, charset);
  } catch (error) {
    // The stream refuses the octets; the program may end it with others.
    this.finished = false;
    throw error;
  }
  this.emit('prefinish');
  return this;
}

/** From Node 24 on, a callback of `end()` also hears that the answer was not sent; before, it is a listener for `'finish'`. */
function whenSent(res: Http2Response, callback: () => void): void {
  if (kEndCallbacks === undefined) res.once('finish', callback);
  else ((res[kEndCallbacks] ??= []) as (() => void)[]).push(callback);
}

function finishStream(res: Http2Response, body: string | Uint8Array | null, charset: BufferEncoding): void {
  if (body !== null) isEmpty(body);
  if (answerWhole(res, body, charset)) return;
  const stream = res[kStream];
  if (res[kHead] !== null) sendHead(res, true, body === null);
  if (isGone(res)) {
    if (isEndedByHead(res)) finishAfterHead(res);
    return;
  }
  // The stream has already ended: with its head, if there is no body, or at once for a HEAD request.
  if (!stream.writableEnded) {
    const done = (error?: Error | null): void => {
      if (!error) finishResponse(res);
    };
    if (body !== null) stream.end(body, charset, done);
    else stream.end(done);
  } else if (stream.writableFinished) nodesProcess.nextTick(finishResponse, res);
  else stream.once('finish', () => finishResponse(res));
}
