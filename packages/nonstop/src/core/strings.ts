/** V8 copies shorter parts of strings; longer parts are slices that keep the whole string alive. */
const SHORTEST_SLICE = 13;

/**
 * A copy of `part` that keeps no other string alive. A string made by `slice()`, `substring()`, `split()` or a RegExp
 * keeps its whole source alive: a program that stores one address for each client would store a whole request head with
 * each.
 *
 * V8 flattens a concatenation before it slices it, so the slice holds a new string of the same length: 40 ns. `join()` takes
 * 50. A Buffer takes as long, and needs the octets and their encoding.
 */
export function ownString(part: string): string {
  return part.length < SHORTEST_SLICE ? part : (' ' + part).slice(1);
}

/** For texts up to this length, counting in JavaScript is cheaper than a native call, which costs 40 ns. */
const COUNTED_LENGTH = 64;

/** The length of a text in UTF-8, in octets. */
export function utf8Length(text: string): number {
  const length = text.length;
  if (length > COUNTED_LENGTH) return Buffer.byteLength(text);
  for (let i = 0; i < length; i += 1) {
    if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text);
  }
  return length;
}
