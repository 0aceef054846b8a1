/**
 * A whole body in the chunked transfer coding (RFC 9112 §7.1): one chunk and the last one.
 *
 * @param size octets of `body`
 */
export function encodeChunkedWhole(body: string, size: number): string {
  return size === 0 ? '0\r\n\r\n' : `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

/** The size line of a chunk; its data and CRLF are to follow. @param size octets of the data, at least 1 */
export function encodeChunkStart(size: number): string {
  return `${size.toString(16)}\r\n`;
}

/** One chunk, behind which others follow. @param size octets of `data`, at least 1: a chunk of none would be the last */
export function encodeChunk(data: string, size: number): string {
  return `${size.toString(16)}\r\n${data}\r\n`;
}
