/**
 * A whole body in the chunked transfer coding (RFC 9112 §7.1): one chunk and the last one.
 *
 * @param size octets of `body`
 */
export function encodeChunkedWhole(body: string, size: number): string {
  return size === 0 ? '0\r\n\r\n' : `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}
