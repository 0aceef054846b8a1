import http = require('node:http');
import {
  kFields,
  kFieldsEnd,
  kGathered,
  kNeedsDrain,
  kOctetsOutsideAscii,
  kPending,
  type EngineRequest,
  type EngineResponse,
} from './messages.js';
import { end, flushHeaders, write } from './response-body.js';
import { fieldMethods } from './response-fields.js';
import { delegateRest, waitingSize } from './response-node.js';
import { implicitHeader, writeHead } from './response-write-head.js';
import { Life, kConnection, kLife } from './symbols.js';

/**
 * `http.ServerResponse` with the engine's ways in front. An instance made by `new` is node's in every respect; the engine's
 * own come from `responseClass()`: fields in a flat list, an answer given by one `end()` encoded as one string, one given in
 * parts as a string each. What goes beyond that (trailers, 1xx, corking, callbacks, parts of an answer whose turn has not
 * come) turns the object into node's own, once, and node's code runs it from there.
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

const own = {
  ...fieldMethods,
  writeHead,
  writeHeader: writeHead,
  _implicitHeader: implicitHeader,
  write,
  flushHeaders,
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
  [kGathered]: null,
  [kNeedsDrain]: false,
});
