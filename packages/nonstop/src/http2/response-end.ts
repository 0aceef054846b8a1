import type http2 = require('node:http2');
import type { Carrier, Http2Response } from './messages.js';
import { abortRequest } from './request-body.js';
import { kFinished, kOther, kReading, kStream, kWriting, Reading } from './symbols.js';

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
function closeResponse(res: Http2Response): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

/** The listener for `'close'` of a stream. */
export function onStreamClose(this: http2.ServerHttp2Stream): void {
  const res = (this as Carrier)[kOther];
  // A write that the handle has is told of by the handle, be it done or not.
  if (res[kWriting]) return;
  // Node 20 and later tell nothing of a reset before all was read that came before it.
  if (!res[kFinished] && res.finished) finishResponse(res);
  afterClose(res);
}

/** The stream is gone, and with it all that was not finished. */
export function afterClose(res: Http2Response): void {
  const { req } = res;
  if (!res[kFinished] || (!req.complete && req[kReading] !== Reading.Untouched)) abortRequest(req);
  if (!res[kFinished]) closeResponse(res);
}
