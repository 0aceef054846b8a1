import { nodesProcess } from '../core/clock.js';
import { destroyedError } from '../core/errors.js';
import { kRequest } from '../http/message.js';
import { failEnd, noteFinished } from '../http/response/finish.js';
import { kErrored, kFlushError } from '../node/message-state.js';
import { throwInTick } from '../node/callback-scope.js';
import type http2 = require('node:http2');
import type { Carrier, Http2Request, Http2Response } from './messages.js';
import { abortRequest, dumpBody, endDropped, isDropped } from './request-body.js';
import { listenQuietly } from '../node/quiet-listeners.js';
import { isEndedByHead } from './reset.js';
import { abortSignal } from './request-signal.js';
import { kFinished, kReading, kResponse, kSession, kStream, kWriting, Reading } from './symbols.js';

/** Why an answer was not sent, for the callbacks of its writes and its end. */
export function faultOf(res: Http2Response, method: 'write' | 'end'): Error {
  return (res[kErrored] as Error | null | undefined) ?? destroyedError(method);
}

/** Called when all of the answer was handed over, or when a reset has ended the writing side of its stream, which is ignored. */
export function finishResponse(ended: Http2Response): void {
  const { [kStream]: stream, [kRequest]: req } = ended;
  // What was ended may be an object that inherits from the response.
  const res = (stream as Carrier)[kResponse];
  if (res[kFinished] || stream.aborted || stream.rstCode !== 0) return;
  res[kFinished] = true;
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
  // While the handle has a write, its callback reports the result, also of a write that fails.
  if (res[kWriting]) return;
  // Node reports a reset only after all data before it was read.
  if (!res[kFinished] && res.finished) finishResponse(res);
  if (!res.finished && isSentByStream(res)) {
    res.finished = true;
    finishResponse(res);
  }
  // The handler has not called `end()` yet: nothing was cut off.
  if (!res.finished && isEndedByHead(res) && !isReading(res[kRequest]) && waitsForSession(res)) return;
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

/** Closes a request and a response that were not finished, after their stream has closed. */
export function afterClose(res: Http2Response): void {
  const { [kRequest]: req } = res;
  if (kFlushError !== undefined && !res[kFinished]) failEnd(res, faultOf(res, 'end'));
  if (isDropped(req)) endDropped(req);
  else if (!res[kFinished] || (!req.complete && req[kReading] !== Reading.Untouched)) abortRequest(req);
  if (res[kFinished]) return;
  closeResponse(res);
  abortSignal(req);
}
