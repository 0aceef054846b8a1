import { defineOwn } from '../core/define-own.js';
import { asConstructor } from '../core/hidden.js';
import type http2 = require('node:http2');
import { Readable } from 'node:stream';
import { NodeRequest } from '../node/classes.js';
import type { Http2Request } from './messages.js';
import { NodeHttp2Request } from '../node/http2-servers.js';
import { requestOf } from './owner.js';
import { kBodyFields, kCollectBody, kUnconditional, kUnread, kUntouched, type BodyFields } from '../core/shortcuts.js';
import { putMembers } from './put-members.js';
import { collectBody, destroyRequest, isUntouched, keepTrailers, openStream, readBody } from './request-body.js';
import { bodyFields, fieldReadings } from './request-fields.js';
import { HAVE_SIGNALS, readSignal } from './request-signal.js';
import { lendStream } from './response-head.js';
import { viewSocket } from './socket-view.js';
import {
  kBlock,
  kCollection,
  kDistinctHeaders,
  kHeaders,
  kRawBlock,
  kRawFields,
  kReading,
  kResponse,
  kSession,
  kSocketView,
  kStream,
  kTrailers,
  Reading,
} from './symbols.js';

export type RequestClass = new (
  stream: http2.ServerHttp2Stream,
  block: http2.IncomingHttpHeaders,
  rawBlock: string[],
) => Http2Request;

/** The listeners of a message, by event: an object without a prototype, as node's emitter creates it. */
export const Http2Listeners = asConstructor(function Http2Listeners() {});
Http2Listeners.prototype = Object.create(null);

/** Builds the constructor of requests whose prototype is `prototype`, which must inherit from {@link requestPrototype}. */
export function http2RequestClass(prototype: object): RequestClass {
  function Request(
    this: Http2Request,
    stream: http2.ServerHttp2Stream,
    block: http2.IncomingHttpHeaders,
    rawBlock: string[],
  ): void {
    this._events = new Http2Listeners();
    this._eventsCount = 0;
    this._maxListeners = undefined;
    this[kStream] = stream;
    this[kSession] = stream.session;
    this[kResponse] = null as never;
    this[kBlock] = block;
    this[kRawBlock] = rawBlock;
    this[kHeaders] = null;
    this[kDistinctHeaders] = null;
    this[kRawFields] = null;
    this[kTrailers] = null;
    this[kReading] = Reading.Untouched;
    this[kCollection] = null;
    this[kSocketView] = null;
    this.method = block[':method'];
    // RFC 9113 §8.5: CONNECT has an authority and no path, and over HTTP/1 that is its target.
    this.url = block[':path'] ?? block[':authority'];
    this.aborted = false;
    this.complete = stream.endAfterHeaders;
    if (!stream.endAfterHeaders) keepTrailers(stream);
  }
  Request.prototype = prototype;
  return asConstructor<ConstructorParameters<RequestClass>, Http2Request>(Request);
}

/** Names of accessors of node's prototype that are plain properties of each request. */
const plain = {
  method: '',
  url: '',
  aborted: false,
  complete: false,
  upgrade: false,
  // By these two node's stream functions know the request of a server. Before they destroy one, they take its socket away.
  _dumped: false,
  _consuming: false,
  joinDuplicateHeaders: false,
  statusCode: null,
  statusMessage: null,
  httpVersion: '2.0',
  httpVersionMajor: 2,
  httpVersionMinor: 0,
};

/** The view of the connection, also after the request's own `socket` was taken away. */
export const socketOf = (req: Http2Request): object => req[kSocketView] ?? viewOf(requestOf(req)!);

const viewOf = (req: Http2Request): object => (req[kSocketView] ??= viewSocket(req[kStream], req[kSession]));

const members = {
  get stream(): http2.ServerHttp2Stream {
    return lendStream(this[kResponse]);
  },
  get socket(): object {
    return socketOf(this);
  },
  set socket(value: object | null) {
    defineOwn(this, 'socket', value);
  },
  get connection(): object {
    return this.socket;
  },
  set connection(value: object | null) {
    this.socket = value as never;
  },
  get client(): object {
    return this.socket;
  },
  set client(value: object | null) {
    defineOwn(this, 'client', value);
  },

  /** @see https://nodejs.org/api/http.html#messagesettimeoutmsecs-callback, for the one stream */
  setTimeout(this: Http2Request, ms: number, callback?: () => void): Http2Request {
    if (callback) this.on('timeout', callback);
    this[kResponse].setTimeout(ms);
    return this;
  },

  /** Whether the fields have no condition; `req.fresh` checks it for each answer. */
  get [kUnconditional](): boolean {
    const req = this;
    const block = req[kBlock];
    if (req[kHeaders] !== null || Object.hasOwn(req, 'headers')) return false;
    return block['if-none-match'] === undefined && block['if-modified-since'] === undefined;
  },
  get [kUntouched](): boolean {
    return isUntouched(this);
  },
  get [kUnread](): boolean {
    const req = this;
    const stream = req[kStream];
    return isUntouched(req) && !req.complete && !stream.destroyed && !stream.closed;
  },
  [kCollectBody]: collectBody,
  get [kBodyFields](): BodyFields {
    return bodyFields(this);
  },

  _read: readBody,
  _destroy: destroyRequest,
} satisfies object & ThisType<Http2Request>;

/** The base of every request: node's `Http2ServerRequest`, with the members of this folder in front. */
export const requestPrototype: object = Object.create(NodeHttp2Request.prototype) as object;

// As over HTTP/1, see `callable`.
putMembers(requestPrototype, { constructor: NodeRequest }, plain, members, fieldReadings);

if (HAVE_SIGNALS) {
  Object.defineProperty(requestPrototype, 'signal', { get: readSignal, enumerable: false, configurable: true });
}

// Every stream method reads this member, so it is where the bare request becomes a stream.
Object.defineProperty(requestPrototype, '_readableState', {
  configurable: true,
  enumerable: false,
  get(this: Http2Request): unknown {
    const owner = requestOf(this);
    if (owner === null) return undefined;
    openStream(owner);
    return owner._readableState;
  },
  set(this: Http2Request, value: unknown): void {
    defineOwn(this, '_readableState', value);
  },
});

// Methods of the emitter do not read it, so a request becomes a stream when it gets a listener.
for (const name of ['addListener', 'on', 'once', 'prependListener', 'prependOnceListener'] as const) {
  const inherited = Readable.prototype[name] as (...args: unknown[]) => unknown;
  putMembers(requestPrototype, {
    [name](this: Http2Request, ...args: unknown[]): unknown {
      void this._readableState;
      return inherited.apply(this, args);
    },
  });
}
