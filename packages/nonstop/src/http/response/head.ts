import http = require('node:http');
import { httpDate } from '../../core/clock.js';
import { TICKS_ARE_CHUNKS } from '../../node/differences.js';
import { kCorked, kUniqueHeaders } from '../../node/message-state.js';
import { keepAliveEnd, keepAliveHint, keepAliveLines, statusLine } from '../../wire/encode.js';
import { Role, fieldName, type FieldName } from './field-names.js';
import { UNSAFE_VALUE, type FieldValue } from './field-value.js';
import { endOf } from './field-list.js';
import { kFields, type EngineResponse, kOctetsOutsideAscii, Life, kLife } from '../message.js';
import { setHeader } from './fields.js';
import { nodeResponse } from '../../node/classes.js';
import { becomeNode, counted } from './become-node.js';

// node: /(?:^|\W)close(?:$|\W)/i over the value of Connection.
const CLOSE = /(?:^|\W)close(?:$|\W)/i;

/**
 * Makes the head of a response and stores it in `_header`, as node's `_storeHeader` does: the same fields in the same
 * order, and the same decision on whether the connection stays open (RFC 9112 §9.3).
 */
function storeHead(res: EngineResponse): void {
  const status = res.statusCode;
  if (status === 204 || status === 304 || (status >= 100 && status <= 199)) res._hasBody = false;
  // RFC 9110 §10.1.1: a client that waits for 100 Continue and gets a final response may or may not send its body.
  if (res._expect_continue && !res._sent100) res.shouldKeepAlive = false;

  let head = statusLine(status, res.statusMessage);
  let repeats = true;
  let hasConnection = false;
  let hasLength = false;
  let hasDate = false;
  const fields = res[kFields];
  if (fields !== null) {
    const { length } = fields;
    for (let i = 0; i < length; i += 3) {
      const field = fields[i] as FieldName | null;
      if (field === null) break;
      const name = fields[i + 1] as string;
      const value = fields[i + 2] as FieldValue;
      const role = field.role;
      const joined: string = repeats && typeof value === 'string' ? field.repeated.joinTo(head, name, value) : '';
      repeats = joined !== '';
      if (repeats) head = joined;
      else if (typeof value === 'string') head += field.repeated.textOf(name, value);
      else if (typeof value === 'object') head += listLines(res, name, value);
      else head += name + ': ' + value + '\r\n';
      if (role === Role.None || (typeof value === 'object' && value.length === 0)) continue;
      if (role === Role.ContentLength) {
        hasLength = true;
        res._contentLength = Number(value);
        if (res._removedContLen) res._removedContLen = false;
      } else if (role === Role.Connection) {
        hasConnection = true;
        if (res._removedConnection) res._removedConnection = false;
        if (CLOSE.test(String(value))) res._last = true;
        else res.shouldKeepAlive = true;
      } else if (role === Role.Date) hasDate = true;
      else if (role === Role.KeepAlive) res._defaultKeepAlive = false;
    }
  }
  res._header = endHead(res, head, { hasConnection, hasLength, hasDate });
}

interface Seen {
  hasConnection: boolean;
  hasLength: boolean;
  hasDate: boolean;
}

interface Persistence {
  dated: boolean;
  stays: boolean;
  hasConnection: boolean;
}

/** Adds the fields that tell how long the connection stays and how long the body is, and the empty line. */
function endHead(res: EngineResponse, head: string, seen: Seen): string {
  const dated = res.sendDate && !seen.hasDate;
  const implicit = !res._removedConnection && !seen.hasConnection;
  const stays = res.shouldKeepAlive && (seen.hasLength || res.useChunkedEncodingByDefault);
  if (dated && implicit && stays && res._defaultKeepAlive && !res.maxRequestsOnConnectionReached) {
    if (seen.hasLength) return head + keepAliveEnd(res._keepAliveTimeout, res._maxRequestsPerSocket);
    return head + keepAliveLines(res._keepAliveTimeout, res._maxRequestsPerSocket) + lengthLine(res) + '\r\n';
  }
  const text = persistence(res, head, { dated, stays, hasConnection: seen.hasConnection });
  return seen.hasLength ? text + '\r\n' : text + lengthLine(res) + '\r\n';
}

function persistence(res: EngineResponse, head: string, { dated, stays, hasConnection }: Persistence): string {
  let text = dated ? head + 'Date: ' + httpDate() + '\r\n' : head;
  if (res._removedConnection) res._last = !res.shouldKeepAlive;
  else if (!hasConnection) {
    if (stays && res.maxRequestsOnConnectionReached) text += 'Connection: close\r\n';
    else if (stays) text += keepAlive(res);
    else {
      res._last = true;
      text += 'Connection: close\r\n';
    }
  }
  return text;
}

function keepAlive(res: EngineResponse): string {
  return `Connection: keep-alive\r\n${res._defaultKeepAlive ? keepAliveHint(res._keepAliveTimeout, res._maxRequestsPerSocket) : ''}`;
}

/** How the receiver finds the end of the body: RFC 9112 §6.3, with node's ways when the program removed a field. */
function lengthLine(res: EngineResponse): string {
  if (!res._hasBody) return '';
  if (!res.useChunkedEncodingByDefault) {
    res._last = true;
    return '';
  }
  if (!res._removedContLen && typeof res._contentLength === 'number')
    return `Content-Length: ${res._contentLength}\r\n`;
  if (!res._removedTE) {
    res.chunkedEncoding = true;
    return 'Transfer-Encoding: chunked\r\n';
  }
  res._last = true;
  return '';
}

function listLines(res: EngineResponse, name: string, values: readonly string[]): string {
  // RFC 9110 §5.3. Only the lines of Cookie are joined with "; " (RFC 6265 §5.4), unless the server names other fields.
  const unique = res[kUniqueHeaders!] as ReadonlySet<string> | null;
  const isCookie = values.length > 1 && name.length === 6 && name.toLowerCase() === 'cookie';
  if (isCookie || unique?.has(name.toLowerCase())) return listLine(name, values.join('; '));
  let lines = '';
  for (const value of values) lines += listLine(name, value);
  return lines;
}

/** The list is the program's own, and may have changed since it was checked. @throws {TypeError} for what `setHeader()` refuses (ERR_INVALID_CHAR), or a symbol */
function listLine(name: string, item: unknown): string {
  const value = ''.concat(item as string);
  // Not only CR and LF: written as Latin-1, U+010A would be one.
  if (UNSAFE_VALUE.test(value)) http.validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}

type WriteHeadHeaders = http.OutgoingHttpHeaders | undefined;

export function writeHead(
  this: EngineResponse,
  statusCode: number,
  reason?: unknown,
  headers?: unknown,
): EngineResponse {
  const given = (typeof reason === 'string' ? headers : (headers ?? reason)) as WriteHeadHeaders;
  const foreign = this[kLife] !== Life.Lean || this[kOctetsOutsideAscii];
  if (foreign || this._header !== null || this.chunkedEncoding || !isStatus(statusCode)) {
    return nodeWriteHead(this, counted(arguments.length, statusCode, reason, headers));
  }
  const status = statusCode | 0;
  if (typeof reason === 'string') this.statusMessage = reason;
  else if (!this.statusMessage) this.statusMessage = http.STATUS_CODES[status] ?? 'unknown';
  this.statusCode = status;
  // As under node, status and reason stay set if a field is refused.
  if (UNSAFE_VALUE.test(this.statusMessage) || !isPlainHead(this, given)) {
    return nodeWriteHead(this, counted(arguments.length, statusCode, reason, headers));
  }
  // As in node, fields that are given only here are sent but not stored: `getHeader` does not return them.
  const stored = this[kFields] !== null;
  if (given !== undefined && given !== null) {
    const names = Object.keys(given);
    for (const name of names) {
      if (name !== '') this.setHeader(name, given[name] as FieldValue);
    }
    // Names that differ only in case became one field. As they are not stored, node sends each of them.
    if (!stored && endOf(this[kFields]) !== names.length * 3) {
      this[kFields] = null;
      return nodeWriteHead(this, counted(arguments.length, statusCode, reason, headers));
    }
  }
  if (this[kLife] !== Life.Lean) nodeResponse.writeHead.call(this, status);
  else {
    storeHead(this);
    if (!stored) this[kFields] = null;
  }
  return this;
}

function nodeWriteHead(res: EngineResponse, all: unknown[]): EngineResponse {
  becomeNode(res);
  nodeResponse.writeHead.apply(res, all as [number]);
  return res;
}

function isStatus(statusCode: unknown): boolean {
  return typeof statusCode === 'number' && statusCode >= 100 && statusCode <= 999;
}

/** Whether the engine may store the fields one by one: an object with ordinary values, and the original `setHeader`. */
function isPlainHead(res: EngineResponse, headers: WriteHeadHeaders): boolean {
  if (headers === undefined || headers === null) return true;
  if (typeof headers !== 'object' || Array.isArray(headers)) return false;
  try {
    for (const name of Object.keys(headers)) if (!isPlainField(res, name, headers[name])) return false;
  } catch {
    // The name is not a token. node throws that when it has handled the fields before.
    return false;
  }
  return res.setHeader === (setHeader as unknown);
}

/** @throws {TypeError} if the name is not a token */
function isPlainField(res: EngineResponse, name: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  // node skips an empty name where it stores the fields, and refuses it where it only sends them.
  if (name === '' ? res[kFields] === null : fieldName(name).role >= Role.Framing) return false;
  return typeof value !== 'string' || !UNSAFE_VALUE.test(value);
}

export function implicitHeader(this: EngineResponse): void {
  if (!this[kLife]) nodeResponse._implicitHeader.call(this);
  else this.writeHead(this.statusCode);
}

/** Whether nothing was done to the response that needs node's own code. */
export function isPlain(res: EngineResponse): boolean {
  const corks = res[kCorked] as number;
  if (corks !== 0 && (!TICKS_ARE_CHUNKS || corks < 0)) return false;
  return !res.destroyed && !res.strictContentLength && res._trailer === '';
}

/**
 * Makes the head if there is none yet, through `writeHead()` if that was replaced.
 *
 * @returns false if the engine does not, or no longer, run the response
 */
export function makeHead(res: EngineResponse): boolean {
  if (res._header !== null) return true;
  if (res[kOctetsOutsideAscii]) return false;
  // The usual case: `writeHead` is the original, so it is not called.
  if (res._implicitHeader === implicitHeader && (res.writeHead as unknown) === writeHead) return storeImplicit(res);
  res._implicitHeader();
  // The program's `writeHead()` may have asked for what only node's code does.
  return res[kLife] === Life.Lean && (res._header as string | null) !== null && isPlain(res);
}

function storeImplicit(res: EngineResponse): boolean {
  const status = res.statusCode;
  if (!isStatus(status) || (status | 0) !== status || res.chunkedEncoding) return false;
  // For programs that define an accessor for it: under node it is called when the head is made.
  res.statusCode = status;
  const reason = res.statusMessage;
  if (!reason) res.statusMessage = http.STATUS_CODES[status] ?? 'unknown';
  else if (typeof reason !== 'string' || UNSAFE_VALUE.test(reason)) return false;
  storeHead(res);
  return true;
}
