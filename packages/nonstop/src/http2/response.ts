import { nodesProcess } from '../core/clock.js';
import { defineOwn } from '../core/define-own.js';
import { http2StreamGoneError } from '../core/errors.js';
import { asConstructor } from '../core/hidden.js';
import type http2 = require('node:http2');
import type { Socket } from 'node:net';
import { kOnlyReads, kOwnBody, kTakesText } from '../core/shortcuts.js';
import { kRequest } from '../http/message.js';
import { fieldName, lookUp } from '../http/response/field-names.js';
import { UNSAFE_VALUE } from '../http/response/field-value.js';
import { NodeResponse, nodeResponse } from '../node/classes.js';
import { outgoingPrototype } from '../node/doors.js';
import { kEndCallbacks, kErrored, kFlushError, kOutHeaders, kWritableFinished } from '../node/message-state.js';
import { writesToHandle } from '../node/http2-answers.js';
import { lengthenTimeout } from '../node/http2-sessions.js';
import { listenQuietly } from '../node/quiet-listeners.js';
import type { Carrier, Http2Request, Http2Response } from './messages.js';
import { NodeHttp2Response } from '../node/http2-servers.js';
import { putMembers } from './put-members.js';
import { Http2Listeners, socketOf } from './request.js';
import { resetStream } from './reset.js';
import { end, write } from './response-body.js';
import { onStreamClose } from './response-end.js';
import { Block, fieldsOfLines, lendStream, sendHead, storeHeader } from './response-head.js';
import { Delivery, kDelivery, kHead, kMeasured, kNeedsDrain, kResponse, kSession, kStream, kTimed } from './symbols.js';

export type ResponseClass = new (req: Http2Request) => Http2Response;

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
    this[kDelivery] = Delivery.Open;
    this[kTimed] = false;
    this.req = req;
    this[kRequest] = req;
    req[kResponse] = this;
    // State of node's constructors that its methods, borrowed below, use.
    this[kOutHeaders!] = null;
    this[kErrored] = null;
    if (kWritableFinished !== undefined) {
      this[kWritableFinished] = false;
      this[kEndCallbacks!] = null;
      this[kFlushError!] = null;
    }
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
    stream[kResponse] = this;
    listenQuietly(stream, 'error', ignore);
    listenQuietly(stream, 'close', onStreamClose);
  }
  Response.prototype = prototype;
  return asConstructor<[req: Http2Request], Http2Response>(Response);
}

/** An error of a stream is reported when it closes, as a connection's over HTTP/1. */
function ignore(): void {}

function onStreamTimeout(this: http2.ServerHttp2Stream): void {
  const res = (this as Carrier)[kResponse];
  const req = res[kRequest];
  const socket = socketOf(req) as Socket;
  const heardByRequest = !req.complete && req.emit('timeout', socket);
  const heard = res[kDelivery] !== Delivery.Done && res.emit('timeout', socket);
  if (!heard && !heardByRequest) resetStream(this);
}

/** Names of accessors of node's prototype that are plain properties of each response. */
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

const { writeHead: NODES_WRITE_HEAD } = NodeResponse.prototype;

const members = {
  get stream(): http2.ServerHttp2Stream {
    return lendStream(this);
  },
  get socket(): Socket | null {
    const res = this;
    return res[kDelivery] === Delivery.Done ? null : (socketOf(res[kRequest]) as Socket);
  },
  set socket(value: Socket | null) {
    defineOwn(this, 'socket', value);
  },
  get connection(): Socket | null {
    return this.socket;
  },
  set connection(value: Socket | null) {
    defineOwn(this, 'socket', value);
  },
  get headersSent(): boolean {
    return this._header !== null || this[kStream].headersSent;
  },
  get writableEnded(): boolean {
    return this.finished;
  },
  get writableFinished(): boolean {
    return this[kDelivery] === Delivery.Done;
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

  get [kTakesText](): boolean {
    return (this.end as unknown) === end;
  },
  get [kOnlyReads](): boolean {
    return (this.end as unknown) === end && writesToHandle(this[kStream]);
  },

  setHeader,
  getHeader,
  write,
  end,
  [kOwnBody]: { write, end },
  _storeHeader: storeHeader,
  _implicitHeader(this: Http2Response): void {
    const isPlain = this.statusCode === 200 && !this.statusMessage && !this._expect_continue;
    if (!isPlain || this.writeHead !== NODES_WRITE_HEAD || this._storeHeader !== storeHeader) {
      this.writeHead(this.statusCode);
      return;
    }
    // What node's does, which would check the status and make a status line that HTTP/2 does not send.
    this.statusMessage = 'OK';
    storeHeader.call(this, '', this[kOutHeaders!] as object | null);
  },
  _send(this: Http2Response, data: unknown, encoding?: unknown, callback?: unknown): boolean {
    return write.call(this, data, encoding, callback);
  },

  flushHeaders(this: Http2Response): void {
    if (this._header === null) this._implicitHeader();
    if (this[kHead] !== null) sendHead(this, false, false);
  },

  /** node's own methods write 1xx heads as text here. */
  _writeRaw(this: Http2Response, head: string, _encoding?: unknown, callback?: (error: Error | null) => void): boolean {
    const stream = this[kStream];
    const isGone = stream.destroyed || stream.closed;
    if (this[kHead] === null && !this._headerSent && !isGone && !stream.headersSent) {
      stream.additionalHeaders({
        ':status': Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 100'.length)),
        ...fieldsOfLines(head),
      });
    }
    if (typeof callback === 'function' && !isGone && this[kDelivery] !== Delivery.Done)
      nodesProcess.nextTick(callback, null);
    return true;
  },

  cork(this: Http2Response): void {
    // Octets that are still in the stream would stay there.
    if (!this.finished) this[kStream].cork();
  },
  uncork(this: Http2Response): void {
    this[kStream].uncork();
  },

  destroy(this: Http2Response, error?: Error): Http2Response {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kErrored] = error;
    resetStream(this[kStream], error);
    return this;
  },

  /**
   * @see https://nodejs.org/api/http.html#responsesettimeoutmsecs-callback, for the one stream, which is reset without a
   * listener
   */
  setTimeout(this: Http2Response, ms: number, callback?: () => void): Http2Response {
    if (callback) this.on('timeout', callback);
    const stream = this[kStream];
    if (!this[kTimed]) stream.on('timeout', onStreamTimeout);
    this[kTimed] = true;
    stream.setTimeout(ms);
    // `server.setTimeout()` is that of sessions. It may only become longer: other streams rely on it.
    lengthenTimeout(this[kRequest][kSession], ms);
    return this;
  },

  /** Sets a trailer beside the others. @see https://nodejs.org/api/http2.html#responsesettrailername-value */
  setTrailer(this: Http2Response, name: string, value: string): void {
    const others = trailersExcept(this._trailer, name);
    const before = this._trailer;
    try {
      this.addTrailers({ [name]: value });
    } catch (error) {
      this._trailer = before;
      throw error;
    }
    this._trailer = others + this._trailer;
  },

  /**
   * Server push, which browsers no longer support. @see
   * https://nodejs.org/api/http2.html#responsecreatepushresponseheaders-callback
   *
   * @throws TypeError ERR_INVALID_ARG_TYPE without a callback; what `http2stream.pushStream()` throws
   */
  createPushResponse(
    this: Http2Response,
    headers: http2.OutgoingHttpHeaders,
    callback: (error: Error | null, res?: object) => void,
  ): void {
    const stream = this[kStream];
    if (typeof callback !== 'function') {
      // node refuses it, in its own words.
      stream.pushStream(headers, {}, callback);
      return;
    }
    if (stream.destroyed || stream.closed) {
      nodesProcess.nextTick(callback, http2StreamGoneError());
      return;
    }
    stream.pushStream(headers, {}, (error, pushed) => {
      if (error) return callback(error);
      // A client that refuses it with a code of its own is no error of the program.
      pushed.on('error', () => undefined);
      callback(null, new (asConstructor<[stream: object]>(NodeHttp2Response))(pushed));
    });
  },
} satisfies object & ThisType<Http2Response>;

/**
 * As node's own, but a name is validated only once, not for each response. Values other than plain strings are left to
 * node's.
 */
function setHeader(this: Http2Response, name: string, value: string): Http2Response {
  if (this._header !== null || typeof value !== 'string' || typeof name !== 'string' || UNSAFE_VALUE.test(value)) {
    return nodeResponse.setHeader.call(this, name, value);
  }
  const { key } = fieldName(name);
  const fields = (this[kOutHeaders!] ??= new Block()) as Record<string, [string, string]>;
  fields[key] = [name, value];
  return this;
}

/** As node's own, without a text in lower case for each call. */
function getHeader(this: Http2Response, name: string): number | string | string[] | undefined {
  if (typeof name !== 'string') return nodeResponse.getHeader.call(this, name);
  const fields = this[kOutHeaders!] as Record<string, [string, string]> | null;
  return fields === null ? undefined : fields[lookUp(name).key]?.[1];
}

/** Lines of trailers without those of one name. */
function trailersExcept(lines: string, name: string): string {
  const start = `${name}: `.toLowerCase();
  return lines
    .split(/(?<=\n)/)
    .filter((line) => !line.toLowerCase().startsWith(start))
    .join('');
}

/** The base of every response: node's `Http2ServerResponse`, with the members of HTTP/1's responses in front. */
export const responsePrototype: object = Object.create(NodeHttp2Response.prototype) as object;

putMembers(responsePrototype, { constructor: NodeResponse }, plain);
// All methods of HTTP/1's responses, because they call each other. They use the state from the constructor; methods that
// would write to a connection are replaced above.
for (const borrowed of [outgoingPrototype, NodeResponse.prototype]) {
  const methods = Object.getOwnPropertyDescriptors(borrowed) as Record<PropertyKey, PropertyDescriptor>;
  for (const name of Reflect.ownKeys(methods)) {
    const value: unknown = methods[name].value;
    if (typeof value !== 'function' || name === 'constructor') continue;
    Object.defineProperty(responsePrototype, name, { value, writable: true, enumerable: false, configurable: true });
  }
}
putMembers(responsePrototype, members);
