import { Buffer } from 'node:buffer';
import type nodeCrypto = require('node:crypto');
import { onFirstUse } from './lazy.js';
import { blocksOf, sha1 } from './sha1.js';
import { inOnePiece, ownString, utf8Length } from './strings.js';

/** `crypto.hash` is missing in the types of the oldest Node. */
type HashOnce = (algorithm: 'sha1', data: string | Buffer, encoding: 'base64') => string;

/** Its `hash` takes 0.3 µs for a short string; a SHA-1 in JavaScript that is unrolled over one block 0.5 to 0.7 µs. */
const crypto = onFirstUse(() => require('node:crypto') as typeof nodeCrypto & { hash: HashOnce });

/**
 * How many blocks are hashed in JavaScript before `node:crypto` is loaded. Loading it costs 2.6 MB on Node 26, 2 on Node
 * 24, 1 on Node 20 and 22, and 2 to 5 ms, which a program that sends a few short texts need not pay. Hashing this many
 * blocks takes about as long as loading it (docs/decisions/0012).
 */
let blocksLeft = 64;

function digest(data: string | Buffer): string {
  if (data.length <= REMEMBERED_LENGTH && blocksLeft > 0) {
    const octets = typeof data === 'string' ? Buffer.from(data) : data;
    blocksLeft -= blocksOf(octets.length);
    return sha1(octets).toString('base64');
  }
  return crypto().hash('sha1', data, 'base64');
}

/** SHA-1 in base64 is 27 significant characters and one of padding. */
const DIGITS = 27;

/** The tag of an empty body. */
const EMPTY = 'W/"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"';

/** Bodies up to this many characters are looked up before they are hashed. */
const REMEMBERED_LENGTH = 1024;
const SLOTS = 64;

interface Slot {
  /** The weak tag of the last text. It is the same string object each time, so that later comparisons compare addresses. */
  weak: string;
  /** A number made of the first two characters of the hash in {@link weak}. */
  mark: number;
  /** The strong tag of {@link body}. */
  strong: string;
  body: string | undefined;
}

const slots: Slot[] = Array.from({ length: SLOTS }, () => ({ weak: '', mark: -1, strong: '', body: undefined }));

/**
 * The text before the hash in weak tags of short texts, by the length of the text in octets. V8 turns an array that grows by such an index
 * into a table, which is slower to read.
 */
const starts = Array<string>(REMEMBERED_LENGTH + 1).fill('');

/** The weak tag of a body that is not empty, as the `etag` package writes it. */
function hashed(body: string | Buffer): string {
  return tagWith(body, digest(body));
}

function tagWith(body: string | Buffer, hash: string): string {
  const size = typeof body === 'string' ? utf8Length(body) : body.length;
  const start = size <= REMEMBERED_LENGTH ? (starts[size] ||= startOf(size)) : startOf(size);
  return start + hash.substring(0, DIGITS) + '"';
}

function startOf(size: number): string {
  return inOnePiece(`W/"${size.toString(16)}-`);
}

/**
 * The slot of a short text, with its weak tag. A text equal to the last one is not hashed again: constant responses are
 * common, a comparison costs 15 ns and a hash 300.
 *
 * A body is kept only when it comes a second time (its tag then equals the slot's), so that responses that never repeat
 * stay out of memory. A copy is kept, because a slice of a large string would keep the whole string alive.
 */
function remembered(body: string): Slot {
  const length = body.length;
  const slot = slots[(length * 31 + body.charCodeAt(length - 1) * 7 + body.charCodeAt(length >> 1)) % SLOTS];
  if (slot.body === body) return slot;
  const hash = digest(body);
  const tag = tagWith(body, hash);
  // Tags that differ nearly always begin with other characters, and comparing two concatenations is a call.
  const mark = hash.charCodeAt(0) ^ (hash.charCodeAt(1) << 8);
  if (slot.mark === mark && slot.weak === tag) {
    slot.body = ownString(body);
    slot.strong = strongOf(tag);
  } else {
    slot.weak = tag;
    slot.mark = mark;
    slot.body = undefined;
  }
  return slot;
}

function isShortText(body: unknown, encoding: BufferEncoding | undefined): boolean {
  if (typeof body !== 'string' || body.length === 0 || body.length > REMEMBERED_LENGTH) return false;
  return encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';
}

const WEAK_START = 'W/';

function strongOf(weak: string): string {
  return weak.substring(WEAK_START.length);
}

/**
 * The strong entity tag of a body: its length in hexadecimal and its SHA-1, as the `etag` package writes it.
 *
 * @param body a string is tagged by its bytes in `encoding`; anything else `Buffer.from` accepts is tagged by those bytes
 * @throws TypeError what `Buffer.from` throws for a value that has no bytes
 */
export function strongEtag(body: string | Buffer | Uint8Array, encoding?: BufferEncoding): string {
  if (!isShortText(body, encoding)) return strongOf(longTag(body, encoding));
  const slot = remembered(body as string);
  return slot.body === undefined ? strongOf(slot.weak) : slot.strong;
}

/** The same tag for a weak comparison (RFC 9110 §8.8.3), which is what Express sends by default. */
export function weakEtag(body: string | Buffer | Uint8Array, encoding?: BufferEncoding): string {
  return isShortText(body, encoding) ? remembered(body as string).weak : longTag(body, encoding);
}

function longTag(body: string | Buffer | Uint8Array, encoding: BufferEncoding | undefined): string {
  if (typeof body !== 'string') return bytesTag(Buffer.isBuffer(body) ? body : Buffer.from(body));
  if (encoding !== undefined && encoding !== 'utf8' && encoding !== 'utf-8')
    return bytesTag(Buffer.from(body, encoding));
  return body.length === 0 ? EMPTY : hashed(body);
}

function bytesTag(bytes: Buffer): string {
  return bytes.length === 0 ? EMPTY : hashed(bytes);
}
