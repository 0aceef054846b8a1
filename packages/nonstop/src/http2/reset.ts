import http2 = require('node:http2');
import type { Http2Response } from './messages.js';
import { kOther } from './symbols.js';

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = http2.constants;

/**
 * Aborts a stream, as `socket.destroy()` aborts a connection: the client gets RST_STREAM, with INTERNAL_ERROR after an
 * error and otherwise with CANCEL. NO_ERROR would mean that the answer is complete.
 */
export function resetStream(stream: http2.ServerHttp2Stream, error?: unknown): void {
  if (stream.destroyed || stream.closed) return;
  stream.close(error ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_CANCEL);
}

/**
 * Ends a request that was not complete in time: 408 if no answer has begun, as over HTTP/1, and the stream is reset.
 * NO_ERROR means that the answer is complete and the rest of the request is not wanted (RFC 9113 §8.1). A tunnel is no
 * longer a request.
 */
export function timeOutRequest(stream: http2.ServerHttp2Stream): void {
  const res = (stream as { [kOther]?: Http2Response })[kOther];
  if (res === undefined || res.req.method === 'CONNECT' || stream.destroyed) return;
  const answers = !stream.headersSent;
  if (answers) stream.respond({ ':status': 408 }, { endStream: true });
  stream.close(answers ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
}
