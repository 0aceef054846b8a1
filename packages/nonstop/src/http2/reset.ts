import http2 = require('node:http2');

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR } = http2.constants;

/**
 * Ends a stream in the middle, which is to a stream what `socket.destroy()` is to a connection: the client gets RST_STREAM, with
 * INTERNAL_ERROR where there was an error and CANCEL where there was none. NO_ERROR would say that the answer is whole.
 */
export function resetStream(stream: http2.ServerHttp2Stream, error?: unknown): void {
  if (stream.destroyed || stream.closed) return;
  stream.close(error ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_CANCEL);
}
