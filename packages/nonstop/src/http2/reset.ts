import http2 = require('node:http2');
import type { Http2Response } from './messages.js';
import { kOther } from './symbols.js';

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = http2.constants;

/**
 * Ends a stream in the middle, which is to a stream what `socket.destroy()` is to a connection: the client gets RST_STREAM, with
 * INTERNAL_ERROR where there was an error and CANCEL where there was none. NO_ERROR would say that the answer is whole.
 */
export function resetStream(stream: http2.ServerHttp2Stream, error?: unknown): void {
  if (stream.destroyed || stream.closed) return;
  stream.close(error ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_CANCEL);
}

/**
 * A request that was not whole in time: 408 where there is no answer yet, as over HTTP/1, and the stream is reset. NO_ERROR says that the answer is
 * whole and the rest of the request not wanted (RFC 9113 §8.1). A tunnel is no request any more.
 */
export function timeOutRequest(stream: http2.ServerHttp2Stream): void {
  const res = (stream as { [kOther]?: Http2Response })[kOther];
  if (res === undefined || res.req.method === 'CONNECT' || stream.destroyed) return;
  const answers = !stream.headersSent;
  if (answers) stream.respond({ ':status': 408 }, { endStream: true });
  stream.close(answers ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
}
