interface Latin1Buffer {
  latin1Slice(start: number, end: number): string;
}

/**
 * The octets from `start` to `end` as a string of the same length. `latin1Slice` is what `toString('latin1')` ends in;
 * called directly it saves the look-up of the encoding, which shows on a 40 octet head.
 */
export function latin1(buffer: Buffer, start: number, end: number): string {
  return (buffer as unknown as Latin1Buffer).latin1Slice(start, end);
}
