import { nodesProcess } from '../core/clock.js';
import { destroyedError } from '../core/errors.js';
import { kRequest } from '../http/message.js';
import { failEnd, noteFinished } from '../http/response/finish.js';
import { kErrored, kFlushError } from '../node/message-state.js';
import { throwInTick } from '../node/callback-scope.js';
import type http2 = require('node:http2');
import type { Carrier, Http2Request, Http2Response } from './messages.js';
import { abortRequest, closeRequest, dumpBody, endDropped, isDropped } from './request-body.js';
import { listenQuietly } from '../node/quiet-listeners.js';
import { isEndedByHead } from './reset.js';
import { abortSignal } from './request-signal.js';
import { Delivery, kDelivery, kReading, kResponse, kSession, kStream, Reading } from './symbols.js';

/*
 * The state of a response is `finished`, whether its program has ended it; `Delivery`, how much of it the stream has; `destroyed` and `_closed`,
 * as on node's responses. It ends in one of these ways:
 *
 * - The stream has all of it, and says so by a callback (`finishResponse()`): 'finish', and a tick later 'close'.
 * - The stream closes first, for example by a reset (`onStreamClose()`): 'close' alone, and the request is aborted. If the program has sent an
 *   answer by the stream itself, the response finishes now.
 * - The stream ends with the head, and the program has not called `end()`: the answer to HEAD, or one with status 204 or 304. Over HTTP/1 the
 *   connection is still open then, so the response waits for `end()` (`finishAfterHead()`), or closes with the session.
 */

/** Why an answer was not sent, for the callbacks of its writes and its end. */
export function faultOf(res: Http2Response, method: 'write' | 'end'): Error {
  return (res[kErrored] as Error | null | undefined) ?? destroyedError(method);
}

/** Called when all of the answer was handed over, or when a reset has ended the writing side of its stream, which is ignored. */
export function finishResponse(ended: Http2Response): void {
  const { [kStream]: stream, [kRequest]: req } = ended;
  // What was ended may be an object that inherits from the response.
  const res = (stream as Carrier)[kResponse];
  if (res[kDelivery] === Delivery.Done || stream.aborted || stream.rstCode !== 0) return;
  res[kDelivery] = Delivery.Done;
  // Otherwise a listener would wait for ever for the end of an unread body.
  if (req[kReading] === Reading.Open) dumpBody(req);
  // Before the listeners, as over HTTP/1: what they do to the response is done to one that is closing.
  nodesProcess.nextTick(closeResponse, res);
  try {
    noteFinished(res);
    res.emit('finish');
  } catch (error) {
    // The caller is a callback of the stream, which would not end: its session would stay open behind its client.
    throwInTick(error);
  }
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
  const res = (this as Carrier)[kResponse];
  // The handle's callback reports the result, also of a write that fails.
  if (res[kDelivery] === Delivery.InHandle) return;
  if (!res.finished) {
    // The handler has not called `end()` yet: nothing was cut off.
    if (isEndedByHead(res) && !isReading(res[kRequest]) && waitsForSession(res)) return;
    if (isSentByStream(res)) res.finished = true;
  }
  // Node reports a reset only after all data before it was read.
  if (res.finished) finishResponse(res);
  afterClose(res);
}

/** Whether the program has sent a whole answer by the stream, for example with `respondWithFile()`. */
function isSentByStream(res: Http2Response): boolean {
  const { [kStream]: stream } = res;
  return stream.headersSent && !res.destroyed && !stream.aborted && stream.rstCode === 0 && !isEndedByHead(res);
}

/** Whether a reader waits for more of the body. */
function isReading(req: Http2Request): boolean {
  return !req.complete && (req[kReading] === Reading.Flowing || req[kReading] === Reading.Collecting);
}

/**
 * Responses of a session whose streams have ended with their heads, and that wait for `end()`. They do not count as streams, so without a limit one
 * client could hold any number of handlers; it is that of streams.
 */
const MOST_WITHOUT_STREAM = 128;

const withSessions = new WeakMap<http2.Http2Session, Set<Http2Response>>();

/** Lets a response close with its session, as over HTTP/1 with its connection. @returns false if the session is closed already */
function waitsForSession(res: Http2Response): boolean {
  const session = res[kRequest][kSession];
  if (session === undefined || session.destroyed) return false;
  let responses = withSessions.get(session);
  if (responses === undefined) {
    responses = new Set();
    withSessions.set(session, responses);
    listenQuietly(session, 'close', onSessionClose);
  }
  responses.add(res);
  if (responses.size > MOST_WITHOUT_STREAM) {
    const [oldest] = responses;
    responses.delete(oldest);
    afterClose(oldest);
  }
  return true;
}

function onSessionClose(this: http2.Http2Session): void {
  for (const res of withSessions.get(this) ?? []) afterClose(res);
}

/** Finishes a response whose stream has ended with its head. */
export function finishAfterHead(res: Http2Response): void {
  if (res._closed) return;
  const session = res[kRequest][kSession];
  if (session !== undefined) withSessions.get(session)?.delete(res);
  nodesProcess.nextTick(finishResponse, res);
}

/** Ends what of a request and its response has not ended, after their stream has closed. */
export function afterClose(res: Http2Response): void {
  const { [kRequest]: req } = res;
  const isLost = res[kDelivery] !== Delivery.Done;
  if (isLost && kFlushError !== undefined) failEnd(res, faultOf(res, 'end'));
  if (isDropped(req)) endDropped(req);
  else if (isLost || isCutOff(req)) abortRequest(req);
  closeRequest(req);
  if (!isLost) return;
  closeResponse(res);
  abortSignal(req);
}

/** Whether more of its body was to come, and a program has used it. */
function isCutOff(req: Http2Request): boolean {
  return !req.complete && req[kReading] !== Reading.Untouched;
}
