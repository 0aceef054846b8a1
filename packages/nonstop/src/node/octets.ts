/**
 * Octets of a socket for those who only read them: a typed array with the methods of a Buffer, made in half the time that
 * `Buffer.from()` needs (12 ns for 26). It must not leave the package: its prototype is not `Buffer.prototype` itself, and
 * that shows in strict comparisons. {@link bufferOf} makes what others may have.
 */
class Octets extends Uint8Array {}
Object.setPrototypeOf(Octets.prototype, Buffer.prototype);

/** The first octets of `data`, to be read by this package alone. */
export function viewOctets(data: ArrayBuffer, length: number): Buffer {
  return new Octets(data, 0, length) as Buffer;
}

/** The octets of `chunk` from `start` to `end`, for anybody. */
export function bufferOf(chunk: Buffer, start: number, end: number): Buffer {
  return Buffer.from(chunk.buffer as ArrayBuffer, chunk.byteOffset + start, end - start);
}

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
