import type http2 = require('node:http2');
import type { Carrier, Http2Response } from './messages.js';
import { abortRequest } from './request-body.js';
import { kFinished, kOther, kReading, kStream, kWriting, Reading } from './symbols.js';

/** Called when all of the answer was handed over, or when a reset has ended the writing side of its stream, which is ignored. */
export function finishResponse(res: Http2Response): void {
  const { [kStream]: stream, req } = res;
  if (res[kFinished] || stream.aborted || stream.rstCode !== 0) return;
  res[kFinished] = true;
  res.emit('prefinish');
  res.emit('finish');
  // Otherwise a listener would wait for ever for the end of an unread body.
  if (req[kReading] === Reading.Open) req.resume();
  process.nextTick(closeResponse, res);
}

/** The last event of a response, whether its answer went out or its stream is gone. */
function closeResponse(res: Http2Response): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

/** The listener for `'close'` of a stream. */
export function onStreamClose(this: http2.ServerHttp2Stream): void {
  const res = (this as Carrier)[kOther];
  // While the handle has a write, its callback reports the result, also of a write that fails.
  if (res[kWriting]) return;
  // Node reports a reset only after all data before it was read.
  if (!res[kFinished] && res.finished) finishResponse(res);
  afterClose(res);
}

/** Closes a request and a response that were not finished, after their stream has closed. */
export function afterClose(res: Http2Response): void {
  const { req } = res;
  if (!res[kFinished] || (!req.complete && req[kReading] !== Reading.Untouched)) abortRequest(req);
  if (!res[kFinished]) closeResponse(res);
}
