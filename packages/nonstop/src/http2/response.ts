import { asConstructor, hidden } from '../core/hidden.js';
import type http2 = require('node:http2');
import type { Socket } from 'node:net';
import { fieldName, UNSAFE_VALUE } from '../http/response/field-lines.js';
import { NodeResponse } from '../node/classes.js';
import { outgoingPrototype } from '../node/doors.js';
import { kErrored, kOutHeaders } from '../node/message-state.js';
import type { Http2Request, Http2Response } from './messages.js';
import { NodeHttp2Response } from '../node/http2-servers.js';
import { abortRequest } from './request-body.js';
import { Http2Listeners } from './request.js';
import { resetStream } from './reset.js';
import { closeResponse, end, finishResponse, write } from './response-body.js';
import { Block, fieldsOfLines, sendHead, storeHeader } from './response-head.js';
import { kFinished, kHead, kMeasured, kNeedsDrain, kOther, kReading, kStream, kTimed, Reading } from './symbols.js';

export type ResponseClass = new (req: Http2Request) => Http2Response;

/** An HTTP/2 stream that an answer of ours goes out on. */
interface Carrier extends http2.ServerHttp2Stream {
  [kOther]: Http2Response;
}

/** Builds the constructor of responses whose prototype is `prototype`, which must inherit from {@link responsePrototype}. */
export function http2ResponseClass(prototype: object): ResponseClass {
  function Response(this: Http2Response, req: Http2Request): void {
    const stream = req[kStream] as Carrier;
    this._events = new Http2Listeners();
    this._eventsCount = 0;
    this._maxListeners = undefined;
    this[kStream] = stream;
    this[kHead] = null;
    this[kMeasured] = false;
    this[kNeedsDrain] = false;
    this[kFinished] = false;
    this[kTimed] = false;
    this.req = req;
    req[kOther] = this;
    // What node's constructors store, and its methods, which are borrowed below, use.
    this[kOutHeaders!] = null;
    this[kErrored] = null;
    this.statusCode = 200;
    this.statusMessage = undefined as never;
    this.writable = true;
    this.destroyed = false;
    this.finished = false;
    this.sendDate = true;
    this._header = null;
    this._headerSent = false;
    this._hasBody = req.method !== 'HEAD';
    this._contentLength = null;
    this._removedConnection = false;
    this._removedContLen = false;
    this._removedTE = false;
    this._expect_continue = false;
    this._sent100 = false;
    this._trailer = '';
    this._closed = false;
    stream[kOther] = this;
    stream.on('error', ignore);
    stream.on('close', onStreamClose);
  }
  Response.prototype = prototype;
  return asConstructor<[req: Http2Request], Http2Response>(Response);
}

/** What is wrong with a stream is told by its closing, as a connection's is over HTTP/1. */
function ignore(): void {}

function onStreamClose(this: http2.ServerHttp2Stream): void {
  const res = (this as Carrier)[kOther];
  // Node 20 and later tell nothing of a reset before all was read that came before it.
  if (!res[kFinished] && res.finished) finishResponse(res);
  const { req } = res;
  if (!res[kFinished] || (!req.complete && req[kReading] !== Reading.Untouched)) abortRequest(req);
  if (!res[kFinished]) closeResponse(res);
}

function onStreamTimeout(this: http2.ServerHttp2Stream): void {
  const res = (this as Carrier)[kOther];
  const heard = !res.req.complete && res.req.emit('timeout', this);
  if (!res.emit('timeout', this) && !heard) resetStream(this);
}

/** Names that node's prototype has accessors for, and each response a plain property. */
const plain = {
  statusCode: 200,
  statusMessage: undefined,
  finished: false,
  sendDate: true,
  _header: null,
  chunkedEncoding: false,
  shouldKeepAlive: true,
  useChunkedEncodingByDefault: true,
  strictContentLength: false,
  maxRequestsOnConnectionReached: false,
};

const members = {
  get stream(): http2.ServerHttp2Stream {
    return this[kStream];
  },
  get socket(): Socket | null {
    const res = this;
    return res._closed ? null : res.req.socket;
  },
  get connection(): Socket | null {
    return this.socket;
  },
  get headersSent(): boolean {
    return this._header !== null;
  },
  get writableEnded(): boolean {
    return this.finished;
  },
  get writableFinished(): boolean {
    return this[kFinished];
  },
  get writableLength(): number {
    return this[kStream].writableLength;
  },
  get writableHighWaterMark(): number {
    return this[kStream].writableHighWaterMark;
  },
  get writableCorked(): number {
    return this[kStream].writableCorked;
  },
  get writableObjectMode(): boolean {
    return false;
  },
  get writableNeedDrain(): boolean {
    const res = this;
    return !res.destroyed && !res.finished && res[kNeedsDrain];
  },
  get errored(): unknown {
    return this[kErrored];
  },
  get closed(): boolean {
    return this._closed;
  },

  setHeader,
  write,
  end,
  _storeHeader: storeHeader,
  _implicitHeader(this: Http2Response): void {
    this.writeHead(this.statusCode);
  },
  _send(this: Http2Response, data: unknown, encoding?: unknown, callback?: unknown): boolean {
    return this.write(data, encoding, callback);
  },

  flushHeaders(this: Http2Response): void {
    if (this._header === null) this._implicitHeader();
    if (this[kHead] !== null) sendHead(this, false, false);
  },

  /** Where node's own methods write 1xx heads as text. */
  _writeRaw(this: Http2Response, head: string, _encoding?: unknown, callback?: () => void): boolean {
    const stream = this[kStream];
    if (this[kHead] === null && !this._headerSent && !stream.destroyed && !stream.closed) {
      stream.additionalHeaders({
        ':status': Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 100'.length)),
        ...fieldsOfLines(head),
      });
    }
    if (typeof callback === 'function') process.nextTick(callback);
    return true;
  },

  cork(this: Http2Response): void {
    this[kStream].cork();
  },
  uncork(this: Http2Response): void {
    this[kStream].uncork();
  },

  destroy(this: Http2Response, error?: Error): Http2Response {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kErrored] = error ?? null;
    resetStream(this[kStream], error);
    return this;
  },

  /** @see https://nodejs.org/api/http.html#responsesettimeoutmsecs-callback, of the one stream: it is reset where nobody listens */
  setTimeout(this: Http2Response, ms: number, callback?: () => void): Http2Response {
    if (callback) this.on('timeout', callback);
    const stream = this[kStream];
    if (!this[kTimed]) stream.on('timeout', onStreamTimeout);
    this[kTimed] = true;
    stream.setTimeout(ms);
    return this;
  },

  /** Adds a trailer to those that there are. @see https://nodejs.org/api/http2.html#responsesettrailername-value */
  setTrailer(this: Http2Response, name: string, value: string): void {
    const before = this._trailer;
    this.addTrailers({ [name]: value });
    this._trailer = before + this._trailer;
  },

  /** Server push, for which no browser asks any more. @see https://nodejs.org/api/http2.html#responsecreatepushresponseheaders-callback */
  createPushResponse(
    this: Http2Response,
    headers: http2.OutgoingHttpHeaders,
    callback: (error: Error | null, res?: object) => void,
  ): void {
    this[kStream].pushStream(headers, {}, (error, stream) => {
      if (error) callback(error);
      else callback(null, new (asConstructor<[stream: object]>(NodeHttp2Response))(stream));
    });
  },
} satisfies object & ThisType<Http2Response>;

const nodeResponse = hidden<Record<string, (...args: unknown[]) => never>>(NodeResponse.prototype);

/** node's own, but that a name is validated once and not for each response, and what is not a plain text is left to it. */
function setHeader(this: Http2Response, name: string, value: string): Http2Response {
  if (this._header !== null || typeof value !== 'string' || typeof name !== 'string' || UNSAFE_VALUE.test(value)) {
    return nodeResponse.setHeader.call(this, name, value);
  }
  const { key } = fieldName(name);
  const fields = (this[kOutHeaders!] ??= new Block()) as Record<string, [string, string]>;
  fields[key] = [name, value];
  return this;
}

/** What every response inherits: node's `Http2ServerResponse`, with the ways of HTTP/1's responses in front. */
export const responsePrototype: object = Object.create(NodeHttp2Response.prototype) as object;

for (const [name, value] of Object.entries(plain)) {
  Object.defineProperty(responsePrototype, name, { value, writable: true, enumerable: false, configurable: true });
}
// All methods of HTTP/1's responses, for they call each other: they read and write the state that the constructor has made, and those that
// would write to a connection are among the members above.
for (const borrowed of [outgoingPrototype, NodeResponse.prototype]) {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(borrowed))) {
    if (typeof value !== 'function' || name === 'constructor') continue;
    Object.defineProperty(responsePrototype, name, { value, writable: true, enumerable: false, configurable: true });
  }
}
for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(members))) {
  Object.defineProperty(responsePrototype, name, { ...descriptor, enumerable: false });
}
