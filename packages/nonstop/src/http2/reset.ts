import { setRealImmediate } from '../core/clock.js';
import http2 = require('node:http2');
import { kRequest } from '../http/message.js';
import type { Http2Response } from './messages.js';
import { Delivery, kDelivery, kResponse, kStream } from './symbols.js';

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = http2.constants;

/**
 * Aborts a stream, as `socket.destroy()` aborts a connection: the client gets RST_STREAM, with INTERNAL_ERROR after an
 * error or in the middle of an answer, and otherwise with CANCEL. NO_ERROR would mean that the answer is complete; and node's own client
 * emits `'end'` without an error for CANCEL, so that a part of an answer looks like all of it.
 */
export function resetStream(stream: http2.ServerHttp2Stream, error?: unknown): void {
  if (stream.destroyed || stream.closed) return;
  // Over HTTP/1 a whole answer has left when its connection is destroyed. The session sends it in this turn of the event loop.
  if (isAnswered(stream)) setRealImmediate(endStream, stream, error);
  else closeUnended(stream, codeOf(stream, error));
}

/**
 * node ends the writing side of a stream that it closes. If the answer has a length, nothing waits for trailers, and that end would leave in front of the
 * reset, or in place of it: a part would look like all of the answer.
 */
function closeUnended(stream: http2.ServerHttp2Stream, code: number): void {
  stream._final = finishAtOnce;
  stream.close(code);
}

function finishAtOnce(done: () => void): void {
  done();
}

/** Whether the answer of a stream was ended; a part of it may still be waiting for the client. */
export function isAnswered(stream: http2.ServerHttp2Stream): boolean {
  const res = responseOf(stream);
  return res !== undefined && (res.finished || isEndedByHead(res));
}

/** Whether the head of a response has ended its stream, although `end()` may be still to come: the answer to HEAD, or one with status 204 or 304. */
export function isEndedByHead({ _hasBody, _headerSent, [kStream]: stream }: Http2Response): boolean {
  return !_hasBody && _headerSent && !stream.aborted && stream.rstCode === NGHTTP2_NO_ERROR;
}

function codeOf(stream: http2.ServerHttp2Stream, error: unknown): number {
  return error || stream.headersSent ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_CANCEL;
}

/**
 * Ends a stream whose answer was ended: if that has left, only the rest of the request is not wanted (RFC 9113 §8.1).
 *
 * @param again the end of an answer in parts leaves a turn after its octets, because of trailers: it was waited for once
 */
function endStream(stream: http2.ServerHttp2Stream, error: unknown, again = false): void {
  if (stream.destroyed || stream.closed) return;
  const res = responseOf(stream);
  const hasLeft = res !== undefined && (res[kDelivery] === Delivery.Done || isEndedByHead(res));
  if (hasLeft && !again && stream.state.localClose === 0) {
    setRealImmediate(endStream, stream, error, true);
    return;
  }
  stream.close(hasLeft ? NGHTTP2_NO_ERROR : codeOf(stream, error));
}

const responseOf = (stream: http2.ServerHttp2Stream): Http2Response | undefined =>
  (stream as { [kResponse]?: Http2Response })[kResponse];

/**
 * Ends a request that was not complete in time: 408 if no answer has begun, as over HTTP/1, and the stream is reset.
 * NO_ERROR means that the answer is complete and the rest of the request is not wanted (RFC 9113 §8.1). A tunnel is no
 * longer a request.
 */
export function timeOutRequest(stream: http2.ServerHttp2Stream): void {
  const res = responseOf(stream);
  if (res === undefined || res[kRequest].method === 'CONNECT') return;
  // A stream that was reset is closed long before its session has sent that, if the client reads nothing. It takes no answer any more.
  if (stream.destroyed || stream.closed) return;
  const answers = !stream.headersSent;
  // This answer is not the program's.
  res.destroyed = true;
  if (answers) {
    // For logs and metrics.
    res.statusCode = 408;
    stream.respond({ ':status': 408 }, { endStream: true });
    stream.close(NGHTTP2_NO_ERROR);
  } else closeUnended(stream, NGHTTP2_CANCEL);
}
