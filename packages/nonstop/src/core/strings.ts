import { Buffer } from 'node:buffer';

/** V8 copies shorter parts of strings; longer parts are slices that keep the whole string alive. */
const SHORTEST_SLICE = 13;

/**
 * A copy of `part` that keeps no other string alive. A string made by `slice()`, `substring()`, `split()` or a RegExp
 * keeps its whole source alive: a program that stores one address for each client would store a whole request head with
 * each.
 *
 * `join()` makes one flat string of exactly this length. A slice of a concatenation takes 20 ns less, and 32 octets more for as
 * long as the string is kept: the header of a slice. A Buffer takes 100 ns more.
 */
export function ownString(part: string): string {
  if (part.length < SHORTEST_SLICE) return part;
  const last = part.length - 1;
  return [part.slice(0, last), part[last]].join('');
}

/** What a test suite puts into their place for a time must not be kept in a text. */
const { from } = Buffer;
const { toString: bufferToString } = Buffer.prototype;

/**
 * A copy of a latin1 text in one piece, for texts that are written again and again: each write of a concatenation walks through its parts.
 */
export function inOnePiece(text: string): string {
  const piece = bufferToString.call(from(text, 'latin1'), 'latin1');
  // Functions that were replaced before Nonstop was loaded may return anything.
  return piece === text ? piece : text;
}

/** For texts up to this length, counting in JavaScript is cheaper than a native call, which costs 40 ns. */
const COUNTED_LENGTH = 64;

let noted = '';
let notedLength = 0;

/**
 * Remembers the length of a text that is measured again: for Content-Length, for the entity tag and when it is written. The text is kept until
 * the next call, so an empty one is noted after the write.
 */
export function noteLength(text: string, length: number): void {
  noted = text;
  notedLength = length;
}

/** The length of a text in UTF-8, in octets. */
export function utf8Length(text: string): number {
  const length = text.length;
  if (length > COUNTED_LENGTH) return text === noted ? notedLength : Buffer.byteLength(text);
  for (let i = 0; i < length; i += 1) {
    if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text);
  }
  return length;
}

const HIGH_SURROGATE = 0xd800;
const LOW_SURROGATE = 0xdc00;

const isHalf = (text: string, at: number, kind: number): boolean => (text.charCodeAt(at) & 0xfc00) === kind;

/**
 * Whether two texts cut a character outside the BMP in halves. Encoded apart, the halves are six octets in UTF-8; joined they would be four.
 */
export function cutsCharacter(before: string, after: string): boolean {
  return isHalf(before, before.length - 1, HIGH_SURROGATE) && isHalf(after, 0, LOW_SURROGATE);
}

/**
 * Optional whitespace (RFC 9110 §5.6.3) is SP and HTAB alone. `String.prototype.trim` removes much more, for example
 * U+00A0: it would read `\xa0chunked` as chunked where the next hop does not.
 */
export function isOws(c: number): boolean {
  return c === 0x20 || c === 0x09;
}

export function trimOwsStart(text: string): string {
  let start = 0;
  while (isOws(text.charCodeAt(start))) start++;
  return start === 0 ? text : text.slice(start);
}

export function trimOwsEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isOws(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}
