import { asConstructor } from '../core/hidden.js';
import { trimOwsEnd, trimOwsStart } from '../core/strings.js';
import http = require('node:http');
import type http2 = require('node:http2');
import { http2StatusError } from '../core/errors.js';
import { kOutHeaders } from '../node/message-state.js';
import type { HeaderBlock, Http2Response } from './messages.js';
import { kHead, kMeasured, kStream } from './symbols.js';

const { validateHeaderName, validateHeaderValue } = http;

/** RFC 9113 §8.2.2: connection fields of HTTP/1, which applications may set. */
const OF_CONNECTION = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Fields that `node:http2` refuses to send more than once. Over HTTP/1 each value has its own line, which means the same
 * as one list.
 */
const IN_ONE_LINE = new Set(
  (
    'access-control-allow-credentials access-control-max-age access-control-request-method age authorization content-encoding ' +
    'content-language content-length content-location content-md5 content-range content-type date dnt etag expires from host ' +
    'if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards ' +
    'proxy-authorization range referer retry-after tk upgrade-insecure-requests user-agent x-content-type-options'
  ).split(' '),
);

type Value = string | number | string[];

/**
 * An object without a prototype, created like the listeners of node's emitter, so that those of one server share a hidden
 * class.
 */
export const Block = asConstructor(function Block() {});
Block.prototype = Object.create(null);

/** The framing of the body, from the fields of a head. */
interface Framing {
  chunked: boolean;
  trailer: boolean;
}

function addField(block: HeaderBlock, name: string, value: Value, framing: Framing): void {
  if (OF_CONNECTION.has(name)) {
    if (name === 'transfer-encoding') framing.chunked = true;
    return;
  }
  if (name === 'trailer') framing.trailer = true;
  const trimmed = withoutSpace(value);
  const before: Value | undefined = block[name];
  const both = before === undefined ? trimmed : ([] as string[]).concat(before as never, trimmed as never);
  block[name] = typeof both === 'object' && both.length !== 0 && IN_ONE_LINE.has(name) ? both.join(', ') : both;
}

/** RFC 9113 §8.2.1: no white space around a value. Readers of HTTP/1 remove it. */
function withoutSpace(value: Value): Value {
  // Not by a RegExp: one for the end takes a second for a run of 20,000 spaces inside.
  if (typeof value === 'string') return trimOwsEnd(trimOwsStart(value));
  if (Array.isArray(value)) return value.map((one) => withoutSpace(String(one)) as string);
  // null or an object, of a program without types: text, as over HTTP/1.
  return typeof value === 'object' ? String(value) : value;
}

function addChecked(block: HeaderBlock, name: string, value: Value, framing: Framing): void {
  validateHeaderName(name);
  for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one as string);
  addField(block, name.toLowerCase(), value, framing);
}

/** Fields that were passed only to `writeHead()`: an object, alternating names and values, or pairs. */
function addGiven(block: HeaderBlock, given: object, framing: Framing): void {
  if (!Array.isArray(given)) {
    for (const [name, value] of Object.entries(given)) addChecked(block, name, value as Value, framing);
    return;
  }
  const list = given as unknown[];
  if (Array.isArray(list[0])) {
    for (const [name, value] of list as [string, Value][]) addChecked(block, name, value, framing);
    return;
  }
  if (list.length % 2 !== 0) {
    const error = new TypeError("The argument 'headers' is invalid.");
    throw Object.assign(error, { code: 'ERR_INVALID_ARG_VALUE' });
  }
  for (let i = 0; i < list.length; i += 2) addChecked(block, list[i] as string, list[i + 1] as Value, framing);
}

/**
 * node's `_storeHeader`: `writeHead()` ends here with the fields. They wait for the first octet of the body or for the end, as over HTTP/1.
 *
 * @param _line the status line, which HTTP/2 does not have
 * @throws RangeError ERR_HTTP2_STATUS_INVALID for a status that is not final in HTTP/2
 */
export function storeHeader(this: Http2Response, _line: string, fields: object | null | undefined): void {
  const { statusCode } = this;
  if (statusCode < 200 || statusCode > 599) {
    // node's `writeHead()` has taken the body away for 1xx, and the handler may answer with another status.
    if (statusCode < 200) this._hasBody = (this.req as http.IncomingMessage).method !== 'HEAD';
    throw http2StatusError(statusCode);
  }
  // With this status node:http2 ends the stream after the head, and Express sends no body (RFC 9110 §15.3.6).
  if (statusCode === 205) this._hasBody = false;
  const block = new Block() as HeaderBlock;
  block[':status'] = statusCode;
  const framing: Framing = { chunked: false, trailer: false };
  const stored = this[kOutHeaders!] as Record<string, [string, Value]> | null;
  if (stored !== null && fields === stored) {
    for (const name in stored) {
      const [, value] = stored[name];
      // A list may have changed since it was checked. In the block of node's native code NUL would begin another field.
      if (typeof value === 'object') addChecked(block, name, value, framing);
      else addField(block, name, value, framing);
    }
  } else if (fields) {
    addGiven(block, fields, framing);
  }
  const wanted = this._hasBody && !framing.chunked && !framing.trailer && !this._removedContLen;
  if (wanted && block['content-length'] === undefined && this._contentLength !== null) {
    block['content-length'] = this._contentLength;
  }
  // RFC 9110 §8.6: clients refuse an answer without a body that announces one.
  if (statusCode === 204 || (statusCode === 205 && Number(block['content-length']) !== 0))
    delete block['content-length'];
  // `Trailer` announces trailers, which may come behind the octets that the length counts.
  this[kMeasured] = block['content-length'] !== undefined && !framing.trailer;
  this[kHead] = block;
  this._header = `HTTP/2.0 ${statusCode}\r\n\r\n`;
}

/**
 * Sends the head that {@link storeHeader} made.
 *
 * @param whole the next write is the whole body
 * @param empty there is no body
 */
export function sendHead(res: Http2Response, whole: boolean, empty: boolean): void {
  const block = res[kHead]!;
  const stream = res[kStream];
  res[kHead] = null;
  res._headerSent = true;
  // The handler may have sent a head by the stream itself.
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const trailers = res._trailer !== '';
  const endStream = !res._hasBody || (empty && !trailers);
  // A handler may add trailers until the end of an answer in parts, unless the answer has a length.
  const waitForTrailers = !endStream && (trailers || (!whole && !empty && !res[kMeasured]));
  stream.respond(block, { endStream, waitForTrailers, sendDate: res.sendDate } as object);
  if (waitForTrailers) sendTrailersLast(res);
}

/** For a head that was sent with `waitForTrailers`. */
export function sendTrailersLast(res: Http2Response): void {
  const { [kStream]: stream } = res;
  stream.once('wantTrailers', () => stream.sendTrailers(trailersOf(res)));
}

/**
 * The stream for a program, which may write to it at any time: a head is sent when it is made from then on, as node's, so that octets do not
 * go before it.
 */
export function lendStream(res: Http2Response): http2.ServerHttp2Stream {
  if (res[kHead] !== null) sendHead(res, false, false);
  else if (res._header === null && res._storeHeader === storeHeader) res._storeHeader = storeAndSendHeader;
  return res[kStream];
}

function storeAndSendHeader(this: Http2Response, line: string, fields: object | null | undefined): void {
  storeHeader.call(this, line, fields);
  sendHead(this, false, false);
}

const LINE = /^([^:]+): (.*)$/;

/** Converts field lines of node's HTTP/1 to fields of a header block. */
export function fieldsOfLines(lines: string): HeaderBlock {
  const fields = Object.create(null) as HeaderBlock;
  for (const line of lines.split('\r\n')) {
    const [, name, value] = LINE.exec(line) ?? [];
    if (name !== undefined) addField(fields, name.toLowerCase(), value, { chunked: false, trailer: false });
  }
  return fields;
}

function trailersOf(res: Http2Response): HeaderBlock {
  return fieldsOfLines(res._trailer);
}
