import http = require('node:http');
import { isUint8Array } from 'node:util/types';
import { latin1 } from '../core/latin1.js';
import { utf8Length } from '../core/utf8-length.js';
import { encodeChunkedWhole } from '../wire/encode-body.js';
import { UNSAFE_VALUE } from './field-values.js';
import { Role, fieldName } from './field-names.js';
import {
  kFields,
  kFieldsEnd,
  kOctetsOutsideAscii,
  kPending,
  type EngineRequest,
  type EngineResponse,
  type FieldValue,
} from './messages.js';
import { fieldMethods, setHeader } from './response-fields.js';
import { storeHead } from './response-head.js';
import { becomeNode, delegateRest, nodeResponse, prepareForNode, waitingSize } from './response-node.js';
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
    this[kFieldsEnd] = 0;
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

type WriteHeadHeaders = http.OutgoingHttpHeaders | undefined;

function writeHead(this: EngineResponse, statusCode: number, reason?: unknown, headers?: unknown): EngineResponse {
  const given = (typeof reason === 'string' ? headers : (headers ?? reason)) as WriteHeadHeaders;
  if (this[kLife] !== Life.Lean || this._header !== null || !isPlain(this, given) || !isStatus(statusCode)) {
    prepareForNode(this);
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
    if (!stored) {
      this[kFields] = null;
      this[kFieldsEnd] = 0;
    }
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
  prepareForNode(this);
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
  answer(res, chunk as string | Uint8Array | undefined, size);
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

function answer(res: EngineResponse, chunk: string | Uint8Array | undefined, size: number): void {
  const host = res[kConnection];
  const head = res._header!;
  const chunked = res._hasBody && res.chunkedEncoding;
  if (!res._hasBody || !chunk) {
    host.answer(res, chunked ? head + encodeChunkedWhole('', 0) : head, false, null);
  } else if (typeof chunk === 'string') {
    host.answer(res, head + (chunked ? encodeChunkedWhole(chunk, size) : chunk), size !== chunk.length, null);
  } else if (chunked || size <= JOINED_BODY) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, size);
    const text = latin1(bytes, 0, size);
    host.answer(res, head + (chunked ? encodeChunkedWhole(text, size) : text), false, null);
  } else {
    host.answer(res, head, false, chunk);
  }
}

const own = {
  ...fieldMethods,
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

/** What of node's plain properties is found out when it is read, until it is set. */
const derived: Readonly<Record<string, (res: EngineResponse) => unknown>> = {
  _keepAliveTimeout: (res) => res[kConnection]?.server.keepAliveTimeout,
  _maxRequestsPerSocket: (res) => res[kConnection]?.server.maxRequestsPerSocket,
  outputSize: waitingSize,
};
for (const [name, read] of Object.entries(derived)) {
  const kSet = Symbol(`nonstop.${name}`);
  Object.defineProperty(ServerResponse.prototype, name, {
    configurable: true,
    enumerable: false,
    get(this: EngineResponse & Record<symbol, unknown>): unknown {
      return this[kSet] ?? read(this);
    },
    set(this: EngineResponse & Record<symbol, unknown>, value: unknown): void {
      // When a response becomes node's all of them are set; to define properties would take a microsecond.
      if (this[kLife] !== undefined) this[kSet] = value;
      else Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

// What node's constructor would store on each response although it hardly ever differs: one copy for all of the engine's.
Object.assign(ServerResponse.prototype, {
  outputData: Object.freeze([]),
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
  _sent100: false,
  _expect_continue: false,
  [kOctetsOutsideAscii]: false,
});
