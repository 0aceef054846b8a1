import { Buffer } from 'node:buffer';
import type { Res } from './shape.js';
import { BYTES, contentTypeInUtf8, HTML } from './media-type.js';
import { get, set, type } from './fields.js';
import { strongEtag, weakEtag } from '../../core/etag.js';
import { kAsciiHead, kTakesText, type MaybeAscii } from '../../core/shortcuts.js';
import { noteLength, utf8Length } from '../../core/strings.js';
import { host, type KnownField } from '../../http/host.js';

const CONTENT_LENGTH = host.knownField('Content-Length');
export const CONTENT_TYPE = host.knownField('Content-Type');
const ETAG = host.knownField('ETag');
const TRANSFER_ENCODING = host.knownField('Transfer-Encoding');

type EtagFunction = (body: unknown, encoding?: BufferEncoding) => string | undefined;
type Chunk = string | Uint8Array;

// The original methods, taken before they can be wrapped on a prototype or an instance.
const { end: nativeEnd, writeHead: nativeWriteHead } = host.ServerResponse.prototype;

/**
 * Texts up to this length stay strings until the socket, which joins them with the head. Longer texts are encoded once,
 * for the tag, the length and the socket. Measured: above this length both ways cost the same for ASCII; for other texts,
 * encoding once instead of three times saves a third.
 */
const SHORT_TEXT = 1024;

/** If it needs no tag, Express measures bodies below this length and encodes the others. */
const MEASURED_LENGTH = 1000;

/** How one Express sends: the original methods of its responses, and the differences between Express 4 and 5. */
export interface Sending {
  readonly set: unknown;
  readonly get: unknown;
  readonly type: unknown;
  readonly send: unknown;
  /** Whether Content-Length is set beside a Transfer-Encoding. */
  readonly measuresChunked: boolean;
  /** Sets the status of a response whose representation is fresh (304). */
  readonly setNotModified: (res: Res) => void;
}

/** Express 5. */
export const sending5: Sending = {
  set,
  get,
  type,
  send,
  // RFC 9112 §6.2: no Content-Length beside Transfer-Encoding.
  measuresChunked: false,
  setNotModified: (res) => res.status(304),
};

/**
 * Whether the field methods and `send` are the original ones, so that the hot path may skip them. Code that wraps one of
 * them, on an instance or on an application's response, sees every call that Express makes.
 */
export function isUnpatched(sending: Sending, res: Res): boolean {
  return res.set === sending.set && res.get === sending.get && res.type === sending.type && res.send === sending.send;
}

/**
 * Sends a body: a string is HTML unless Content-Type is set, bytes are `application/octet-stream`, other values are sent
 * as JSON. Sets Content-Type, Content-Length and ETag, and responds with 304 if the client's copy is fresh.
 */
export function send(this: Res, body?: unknown): Res {
  switch (typeof body) {
    case 'string':
      setTextType(this);
      return respond(sending5, this, body, 'utf8');
    case 'boolean':
    case 'number':
      return this.json(body);
    case 'object':
      if (body === null) return respond(sending5, this, '', undefined);
      if (!ArrayBuffer.isView(body)) return this.json(body);
      setBytesType(sending5, this);
      return respond(sending5, this, body, undefined);
    default:
      return respond(sending5, this, body, undefined);
  }
}

/** @throws TypeError when the field is no media type */
function setTextType(res: Res): void {
  if (isUnpatched(sending5, res)) {
    const field = host.getKnown(res, CONTENT_TYPE);
    host.setKnown(res, CONTENT_TYPE, typeof field === 'string' ? (contentTypeInUtf8(field) as string) : HTML);
    return;
  }
  const field = res.get('Content-Type');
  if (typeof field === 'string') res.set('Content-Type', contentTypeInUtf8(field) as string);
  else res.type('html');
}

export function setBytesType(sending: Sending, res: Res): void {
  if (res.get('Content-Type')) return;
  if (isUnpatched(sending, res)) res.setHeader('Content-Type', BYTES);
  else res.type('bin');
}

/**
 * The end of `res.send()` and `res.json()`, of both Expresses: sets Content-Length and ETag, and ends the response.
 *
 * @param body the body of `send`, whose Content-Type is set: text, bytes, or `undefined`; other values throw
 */
export function respond(sending: Sending, res: Res, body: unknown, encoding: BufferEncoding | undefined): Res {
  const etagOf = res.app.get('etag fn') as EtagFunction | undefined;
  const tagged = !getField(sending, res, ETAG) && typeof etagOf === 'function';

  if (body === undefined) {
    finish(sending, res, undefined, undefined);
    return res;
  }
  const chunk = asChunk(body as Chunk, encoding, tagged ? etagOf : undefined);
  const text = typeof chunk === 'string';
  const chunkEncoding = text ? encoding : undefined;
  const length = text ? utf8Length(chunk) : Buffer.byteLength(chunk);
  if (text) noteLength(chunk, length);
  try {
    setLength(sending, res, length);
    if (tagged) {
      const tag = tagOf(etagOf, body, chunk, chunkEncoding);
      if (tag) {
        if (isOurs(etagOf)) setOwnField(sending, res, ETAG, tag);
        else setField(sending, res, ETAG, tag);
      }
    }
    // Only now: a program's own `set` or `setHeader` may have added what is not ASCII.
    if (text && tagged && !takesText(res)) finish(sending, res, Buffer.from(chunk, encoding), undefined);
    else finish(sending, res, chunk, chunkEncoding);
  } finally {
    if (text) noteLength('', 0);
  }
  return res;
}

/** Looks up the tag by text, for texts that repeat; also when bytes are sent because `end` is wrapped. */
function tagOf(
  etagOf: EtagFunction,
  body: unknown,
  chunk: Chunk,
  encoding: BufferEncoding | undefined,
): string | undefined {
  const known = typeof body === 'string' && body.length <= SHORT_TEXT && isOurs(etagOf);
  return known ? etagOf(body) : etagOf(chunk, encoding);
}

function isOurs(etagOf: EtagFunction): boolean {
  return etagOf === weakEtag || etagOf === strongEtag;
}

/**
 * The body for its tag and length. A short text stays a string as long as nobody else sees it. A tag function of the application gets bytes, as in
 * Express.
 */
function asChunk(body: Chunk, encoding: BufferEncoding | undefined, etagOf: EtagFunction | undefined): Chunk {
  if (typeof body !== 'string' && Buffer.isBuffer(body)) return body;
  if (etagOf === undefined) {
    return body.length < MEASURED_LENGTH ? body : Buffer.from(body as string, encoding);
  }
  // An empty text would be no chunk for `end()`: when the client has left, only then a head is made.
  const isShort = typeof body === 'string' && body !== '' && body.length <= SHORT_TEXT;
  return isShort && isOurs(etagOf) ? body : Buffer.from(body as string, encoding);
}

/** Whether the head is ASCII and no other code sees the body. A wrapped `end` gets bytes, as in Express. */
function takesText(res: Res): boolean {
  // A wrapped `writeHead` may add what is not ASCII, as on-headers does: node would write the head in UTF-8 with a text.
  if (res.end === nativeEnd) return res.writeHead === nativeWriteHead && (res as MaybeAscii)[kAsciiHead] === true;
  return (res as MaybeAscii)[kTakesText] === true;
}

function setLength(sending: Sending, res: Res, length: number): void {
  if (sending.measuresChunked || !getField(sending, res, TRANSFER_ENCODING)) {
    setOwnField(sending, res, CONTENT_LENGTH, length);
  }
}

function getField(sending: Sending, res: Res, known: KnownField): unknown {
  return res.get === sending.get ? host.getKnown(res, known) : res.get(known.name);
}

/** Sets a value that this file made, so that its characters need no check. */
function setOwnField(sending: Sending, res: Res, known: KnownField, value: string | number): void {
  if (res.set === sending.set) host.setMade(res, known, `${value}`);
  else res.set(known.name, value);
}

function setField(sending: Sending, res: Res, known: KnownField, value: string): void {
  // A tag function may return a list, which Express sends as several field lines.
  if (res.set === sending.set && typeof value !== 'object') host.setKnown(res, known, String(value));
  else res.set(known.name, value);
}

/**
 * Sets the final status, removes fields that it may not have (RFC 9110 §15.3.5, §15.3.6, §15.4.5), and ends the response.
 */
function finish(sending: Sending, res: Res, chunk: Chunk | undefined, encoding: BufferEncoding | undefined): void {
  const req = res.req;
  let body = chunk;
  if (req.fresh) sending.setNotModified(res);
  const status = res.statusCode;
  if (status === 204 || status === 304) {
    res.removeHeader('Content-Type');
    res.removeHeader('Content-Length');
    res.removeHeader('Transfer-Encoding');
    body = '';
  } else if (status === 205) {
    res.set('Content-Length', '0');
    res.removeHeader('Transfer-Encoding');
    body = '';
  }
  if (req.method === 'HEAD') res.end();
  // Two arguments for bytes too: an `end` of the program may count them.
  else res.end(body, encoding as BufferEncoding);
}
