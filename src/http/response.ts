import http = require('node:http');
import { isUint8Array } from 'node:util/types';
import { encodeChunkedWhole } from '../wire/encode-body.js';
import { UNSAFE_VALUE, isOrdinaryValue } from './field-values.js';
import { Role, fieldName, type FieldName } from './field-names.js';
import {
  kFields,
  kOctetsOutsideAscii,
  kPending,
  type Answer,
  type EngineRequest,
  type EngineResponse,
  type FieldValue,
} from './messages.js';
import { storeHead } from './response-head.js';
import { becomeNode, delegateRest, nodeResponse } from './response-node.js';
import { Life, kConnection, kLife } from './symbols.js';

/** Bodies up to this many octets travel in the same string as their head: one write instead of two in a `writev`. */
const JOINED_BODY = 4096;

/**
 * `http.ServerResponse` with the engine's ways in front. An instance made by `new` is node's in every respect; the engine's
 * own come from `responseClass()`: fields in a flat list, and an answer given by one `end()` encoded as one string. What
 * goes beyond that (`write`, trailers, 1xx, corking, callbacks) turns the object into node's own, once, and node's code
 * runs it from there.
 */
export class ServerResponse extends http.ServerResponse {}

/** Builds the constructor of responses whose prototype is `prototype`, which must inherit from `ServerResponse.prototype`. */
export function responseClass(prototype: object): new (req: EngineRequest, persistent: boolean) => EngineResponse {
  function Response(this: EngineResponse & Record<string, unknown>, req: EngineRequest, persistent: boolean): void {
    this._events = undefined;
    this._eventsCount = 0;
    this._maxListeners = undefined;
    this[kLife] = Life.Lean;
    this[kConnection] = req[kConnection];
    this[kFields] = null;
    this[kPending] = null;
    this.req = req;
    this._header = null;
    this._headerSent = false;
    this._hasBody = req.method !== 'HEAD';
    this._last = false;
    this._closed = false;
    this._contentLength = null;
    this.shouldKeepAlive = persistent;
    this.finished = false;
    this.destroyed = false;
    this.statusCode = 200;
    this.statusMessage = undefined as unknown as string;
    if (req.httpVersionMinor !== 1) {
      // node reads TE here; a client of HTTP/1.0 that sends it is served through node's own code.
      this.useChunkedEncodingByDefault = false;
    }
  }
  Response.prototype = prototype;
  return Response as unknown as new (req: EngineRequest, persistent: boolean) => EngineResponse;
}

function findField(fields: (FieldName | FieldValue)[], field: FieldName): number {
  for (let i = 0; i < fields.length; i += 3) {
    const other = fields[i] as FieldName;
    if (other === field || other.key === field.key) return i;
  }
  return -1;
}

function putField(res: EngineResponse, field: FieldName, name: string, value: FieldValue): void {
  const fields = res[kFields];
  if (fields === null) {
    res[kFields] = [field, name, value];
    return;
  }
  const at = findField(fields, field);
  if (at === -1) {
    fields.push(field, name, value);
  } else {
    fields[at + 1] = name;
    fields[at + 2] = value;
  }
}

function setHeader(this: EngineResponse, name: string, value: FieldValue): EngineResponse {
  if (this[kLife] !== Life.Lean || this._header !== null) return nodeSetHeader(this, name, value);
  const field = fieldName(name);
  if (field.role >= Role.Framing || !isOrdinaryValue(this, name, value)) return nodeSetHeader(this, name, value);
  putField(this, field, name, value);
  return this;
}

function nodeSetHeader(res: EngineResponse, name: string, value: FieldValue): EngineResponse {
  if (res[kLife] !== Life.Node && res[kLife] !== undefined) becomeNode(res);
  nodeResponse.setHeader.call(res, name, value);
  return res;
}

function getHeader(this: EngineResponse, name: string): FieldValue | undefined {
  if (!this[kLife] || typeof name !== 'string') return nodeResponse.getHeader.call(this, name);
  const fields = this[kFields];
  if (fields === null) return undefined;
  const at = findField(fields, lookUp(name));
  return at === -1 ? undefined : (fields[at + 2] as FieldValue);
}

function hasHeader(this: EngineResponse, name: string): boolean {
  if (!this[kLife] || typeof name !== 'string') return nodeResponse.hasHeader.call(this, name);
  const fields = this[kFields];
  return fields !== null && findField(fields, lookUp(name)) !== -1;
}

// Asking for a name that is no token is no error; it is just not there.
function lookUp(name: string): FieldName {
  try {
    return fieldName(name);
  } catch {
    return { key: name.toLowerCase(), role: Role.None };
  }
}

function removeHeader(this: EngineResponse, name: string): void {
  if (this[kLife] !== Life.Lean || typeof name !== 'string' || this._header !== null) {
    if (this[kLife]) becomeNode(this);
    nodeResponse.removeHeader.call(this, name);
    return;
  }
  switch (name.toLowerCase()) {
    case 'connection':
      this._removedConnection = true;
      break;
    case 'content-length':
      this._removedContLen = true;
      break;
    case 'transfer-encoding':
      this._removedTE = true;
      break;
    case 'date':
      this.sendDate = false;
      break;
  }
  const fields = this[kFields];
  if (fields === null) return;
  const at = findField(fields, lookUp(name));
  if (at !== -1) fields.splice(at, 3);
}

function getHeaderNames(this: EngineResponse): string[] {
  if (!this[kLife]) return nodeResponse.getHeaderNames.call(this);
  return (this[kFields] ?? []).filter((_, i) => i % 3 === 0).map((field) => (field as FieldName).key);
}

function getRawHeaderNames(this: EngineResponse): string[] {
  if (!this[kLife]) return nodeResponse.getRawHeaderNames.call(this);
  return (this[kFields] ?? []).filter((_, i) => i % 3 === 1) as string[];
}

function getHeaders(this: EngineResponse): http.OutgoingHttpHeaders {
  if (!this[kLife]) return nodeResponse.getHeaders.call(this);
  const headers = Object.create(null) as Record<string, FieldValue>;
  const fields = this[kFields] ?? [];
  for (let i = 0; i < fields.length; i += 3) headers[(fields[i] as FieldName).key] = fields[i + 2] as FieldValue;
  return headers as http.OutgoingHttpHeaders;
}

type WriteHeadHeaders = http.OutgoingHttpHeaders | undefined;

function writeHead(this: EngineResponse, statusCode: number, reason?: unknown, headers?: unknown): EngineResponse {
  const given = (typeof reason === 'string' ? headers : (headers ?? reason)) as WriteHeadHeaders;
  if (this[kLife] !== Life.Lean || this._header !== null || !isPlain(this, given) || !isStatus(statusCode)) {
    if (this[kLife]) becomeNode(this);
    nodeResponse.writeHead.call(this, statusCode, reason, headers);
    return this;
  }
  const status = statusCode | 0;
  if (typeof reason === 'string') this.statusMessage = reason;
  else if (!this.statusMessage) this.statusMessage = http.STATUS_CODES[status] ?? 'unknown';
  this.statusCode = status;
  if (UNSAFE_VALUE.test(this.statusMessage)) {
    becomeNode(this);
    nodeResponse.writeHead.call(this, status, this.statusMessage, given);
    return this;
  }
  // As node has it: fields given here alone are sent but not stored, so `getHeader` does not know them afterwards.
  const stored = this[kFields] !== null;
  if (given !== undefined && given !== null) {
    for (const name of Object.keys(given)) {
      if (name !== '') this.setHeader(name, given[name] as FieldValue);
    }
  }
  if (this[kLife] !== Life.Lean) nodeResponse.writeHead.call(this, status);
  else {
    storeHead(this);
    if (!stored) this[kFields] = null;
  }
  return this;
}

function isStatus(statusCode: unknown): boolean {
  return typeof statusCode === 'number' && statusCode >= 100 && statusCode <= 999;
}

/** Fields that the engine may store one by one: an object of ordinary values, and no instance of `setHeader` that differs. */
function isPlain(res: EngineResponse, headers: WriteHeadHeaders): boolean {
  if (headers === undefined || headers === null) return true;
  if (typeof headers !== 'object' || Array.isArray(headers)) return false;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    if (name !== '' && fieldName(name).role >= Role.Framing) return false;
    if (typeof value === 'string' && UNSAFE_VALUE.test(value)) return false;
  }
  return res.setHeader === (setHeader as unknown as typeof res.setHeader);
}

function implicitHeader(this: EngineResponse): void {
  if (this[kLife] === undefined) nodeResponse._implicitHeader.call(this);
  else this.writeHead(this.statusCode);
}

function end(this: EngineResponse, chunk?: unknown, encoding?: unknown, callback?: unknown): EngineResponse {
  if (
    this[kLife] === Life.Lean &&
    callback === undefined &&
    typeof encoding !== 'function' &&
    endLean(this, chunk, encoding)
  ) {
    return this;
  }
  if (this[kLife]) becomeNode(this);
  nodeResponse.end.call(this, chunk, encoding, callback);
  return this;
}

/** Encodes the whole answer; false where it is of a kind that node's own code should send. */
function endLean(res: EngineResponse, chunk: unknown, encoding: unknown): boolean {
  let size = 0;
  if (chunk) {
    if (typeof chunk === 'string') {
      if (encoding && encoding !== 'utf8' && encoding !== 'utf-8') return false;
      size = utf8Length(chunk);
    } else if (isUint8Array(chunk)) size = chunk.byteLength;
    else return false;
  }
  if (res.strictContentLength || res.destroyed) return false;
  if (res._header === null) {
    res._contentLength = size;
    if (res[kOctetsOutsideAscii]) return false;
    if (res._implicitHeader === implicitHeader && (res.writeHead as unknown) === writeHead && storeImplicit(res)) {
      // The usual case: nobody waits for the head, so it is made without the detour.
    } else {
      res._implicitHeader();
      if (res[kLife] !== Life.Lean || res._header === null) return false;
    }
  }
  res.finished = true;
  res[kLife] = Life.Ended;
  res[kConnection].answer(res, assemble(res, chunk as string | Uint8Array | undefined, size));
  return true;
}

function storeImplicit(res: EngineResponse): boolean {
  const status = res.statusCode;
  if (!isStatus(status) || (status | 0) !== status) return false;
  const reason = res.statusMessage;
  if (!reason) res.statusMessage = http.STATUS_CODES[status] ?? 'unknown';
  else if (typeof reason !== 'string' || UNSAFE_VALUE.test(reason)) return false;
  storeHead(res);
  return true;
}

function assemble(res: EngineResponse, chunk: string | Uint8Array | undefined, size: number): Answer {
  const head = res._header!;
  if (!res._hasBody) return { text: head, utf8: false, body: null };
  const chunked = res.chunkedEncoding;
  if (!chunk) return { text: chunked ? head + encodeChunkedWhole('', 0) : head, utf8: false, body: null };
  if (typeof chunk === 'string') {
    return {
      text: head + (chunked ? encodeChunkedWhole(chunk, size) : chunk),
      utf8: size !== chunk.length,
      body: null,
    };
  }
  if (chunked || size <= JOINED_BODY) {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, size).toString('latin1');
    return { text: head + (chunked ? encodeChunkedWhole(text, size) : text), utf8: false, body: null };
  }
  return { text: head, utf8: false, body: chunk };
}

/** Octets of `text` in UTF-8. A short ASCII text is counted here, since the call into native code costs 40 ns. */
function utf8Length(text: string): number {
  const length = text.length;
  if (length > 64) return Buffer.byteLength(text);
  for (let i = 0; i < length; i++) {
    if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text);
  }
  return length;
}

const own = {
  setHeader,
  getHeader,
  hasHeader,
  removeHeader,
  getHeaderNames,
  getRawHeaderNames,
  getHeaders,
  writeHead,
  writeHeader: writeHead,
  _implicitHeader: implicitHeader,
  end,
};

for (const [name, value] of Object.entries(own)) {
  Object.defineProperty(ServerResponse.prototype, name, {
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
delegateRest(ServerResponse.prototype, Object.keys(own));

// What node's constructor would store on each response although it hardly ever differs: one copy for all of the engine's.
Object.assign(ServerResponse.prototype, {
  outputData: Object.freeze([]),
  outputSize: 0,
  writable: true,
  chunkedEncoding: false,
  maxRequestsOnConnectionReached: false,
  _defaultKeepAlive: true,
  useChunkedEncodingByDefault: true,
  sendDate: true,
  _removedConnection: false,
  _removedContLen: false,
  _removedTE: false,
  strictContentLength: false,
  _trailer: '',
  _keepAliveTimeout: 0,
  _sent100: false,
  _expect_continue: false,
  [kOctetsOutsideAscii]: false,
});
