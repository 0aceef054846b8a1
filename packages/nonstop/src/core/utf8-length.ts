/** Up to here counting is cheaper than the call into native code, which costs 40 ns. */
const COUNTED_LENGTH = 64;

/** The octets of a text in UTF-8. */
export function utf8Length(text: string): number {
  const length = text.length;
  if (length > COUNTED_LENGTH) return Buffer.byteLength(text);
  for (let i = 0; i < length; i += 1) {
    if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text);
  }
  return length;
}
