import { asConstructor } from '../../core/hidden.js';
import { kAsciiHead } from '../../core/shortcuts.js';
import { outgoingPrototype, putDoors } from '../../node/doors.js';
import { NodeResponse, nodeResponse } from '../../node/classes.js';
import { RESPONSES_PRESET_EVENTS, SERVER_READS_HEADERS } from '../../node/differences.js';
import {
  kBytesWritten,
  kChunkedBuffer,
  kChunkedLength,
  kCorked,
  kEndCallbacks,
  kErrored,
  kFlushError,
  kLenientCache,
  kShapeMode,
  kHighWaterMark,
  kNeedDrain,
  kOutHeaders,
  kRejectNonStandardBodyWrites,
  kSocket,
  kUniqueHeaders,
  kWritableFinished,
} from '../../node/message-state.js';
import {
  kFields,
  kOctetsOutsideAscii,
  kPending,
  type EngineRequest,
  type EngineResponse,
  type MessageHost,
  Life,
  kConnection,
  kLife,
  kRequest,
  defineMethod,
  listenMethodsOf,
  messageOf,
  noteUse,
} from '../message.js';
import { callable, construct } from '../callable.js';
import { end, flushHeaders, sendInOrder, write } from './body.js';
import { readField } from '../request/one-field.js';
import type { OwnRequest } from '../request/own-request.js';
import { fieldMethods } from './fields.js';
import { openFields, openOutput } from './become-node.js';
import { onFinish } from './finish.js';
import { implicitHeader, writeHead } from './head.js';

/**
 * `http.ServerResponse` with the engine's methods over node's. An instance made by `new` works entirely as node's; the
 * engine's own come from `responseClass()`. These have all the state that node's constructor makes, and fields in a flat
 * list. A response with one `end()` is encoded as one string, other responses as one string for each part. If node's own
 * code is needed (trailers, 1xx, corking, callbacks, parts of a waiting response), it runs the response from there.
 */
export const ServerResponse = callable(
  NodeResponse,
  function ServerResponse(this: object, ...args: unknown[]): unknown {
    return construct(NodeResponse, this, args, new.target);
  },
);

/** The listeners of a response. As under node, the engine's own `'finish'` listener is the first. */
const ResponseListeners = asConstructor(
  RESPONSES_PRESET_EVENTS
    ? function ResponseListeners(this: Record<string, unknown>) {
        this['close'] = undefined;
        this['error'] = undefined;
        this['finish'] = onFinish;
        this['prefinish'] = undefined;
        this['drain'] = undefined;
      }
    : function ResponseListeners(this: Record<string, unknown>) {
        this['finish'] = onFinish;
      },
);
ResponseListeners.prototype = Object.create(null);

type OwnState = EngineResponse & Record<PropertyKey, unknown>;

/** node: `chunkExpression`, over the value of TE. */
const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

/** What Node 26.12 has added to the state of node's constructors. */
function addNewState(res: OwnState): void {
  res[kShapeMode!] = true;
  if (kLenientCache !== undefined) res[kLenientCache] = null;
}

/** The value of TE. Where node does not make `headers` first, it looks through the lines. */
function codingsOf(req: EngineRequest): unknown {
  return SERVER_READS_HEADERS ? req.headers.te : readField(req as OwnRequest, 'te');
}

/** node's `_onPendingData`, one function for all responses. */
function onPendingData(this: EngineResponse, delta: number): void {
  this[kConnection].countPending(delta);
}

/** Builds the constructor of responses whose prototype is `prototype`, which must inherit from `ServerResponse.prototype`. */
// oxlint-disable-next-line max-lines-per-function
export function responseClass(prototype: object): new (req: EngineRequest, persistent: boolean) => EngineResponse {
  // One function, so that V8 allocates the object with room for all properties: 30 ns, where a growing one takes 2,000.
  function Response(this: OwnState, req: EngineRequest, persistent: boolean): void {
    const host: MessageHost = req[kConnection];
    this._events = new ResponseListeners();
    this._eventsCount = 1;
    this._maxListeners = undefined;
    this[kLife] = Life.Lean;
    this[kConnection] = host;
    this[kRequest] = req;
    this[kFields] = null;
    this[kOctetsOutsideAscii] = false;
    this[kPending] = null;
    // The state that node's constructors and server store; `outputData` and the fields have accessors.
    this.outputSize = 0;
    this.writable = true;
    this.destroyed = false;
    this._last = false;
    this.chunkedEncoding = false;
    this.shouldKeepAlive = persistent;
    this.maxRequestsOnConnectionReached = false;
    this._defaultKeepAlive = true;
    this.useChunkedEncodingByDefault = true;
    this.sendDate = true;
    this._removedConnection = false;
    this._removedContLen = false;
    this._removedTE = false;
    this.strictContentLength = false;
    this._contentLength = null;
    this._hasBody = req.method !== 'HEAD';
    this._trailer = '';
    this.finished = false;
    this._headerSent = false;
    this._closed = false;
    this._header = null;
    this._keepAliveTimeout = host.server.keepAliveTimeout;
    this._onPendingData = onPendingData;
    this.req = req;
    this._sent100 = false;
    this._expect_continue = false;
    this._maxRequestsPerSocket = host.server.maxRequestsPerSocket;
    this.statusCode = 200;
    this.statusMessage = undefined as never;
    this[kBytesWritten] = 0;
    this[kNeedDrain] = false;
    this[kCorked] = 0;
    this[kErrored] = null;
    this[kHighWaterMark] = host.outbox.highWaterMark;
    this[kRejectNonStandardBodyWrites] = host.server.rejectNonStandardBodyWrites ?? false;
    this[kUniqueHeaders!] = host.engine.uniqueHeaders;
    if (kSocket !== undefined) {
      this[kSocket] = null;
      this[kChunkedBuffer!] = [];
      this[kChunkedLength!] = 0;
    } else (this as { socket: unknown }).socket = null;
    if (kWritableFinished !== undefined) {
      this[kWritableFinished] = false;
      this[kEndCallbacks!] = null;
      this[kFlushError!] = null;
    }
    if (RESPONSES_PRESET_EVENTS) addNewState(this);
    if (req.httpVersionMinor !== 1) this.useChunkedEncodingByDefault = CHUNKED.test(String(codingsOf(req)));
  }
  Response.prototype = prototype;
  return asConstructor<[req: EngineRequest, persistent: boolean], EngineResponse>(Response);
}

/** All of node's code that sets or reads fields, or writes, uses one of these. */
export function putResponseDoors(): void {
  putDoors<EngineResponse>(outgoingPrototype, messageOf, [
    { name: kOutHeaders!, open: openFields },
    { name: 'outputData', open: openOutput },
  ]);
}

/**
 * A response that has ended finishes in a tick from here on, if it gets a listener: the tick keeps the async context of the code that listens, as
 * under node the callback of the last write keeps that of `end()`.
 */
const listenMethods = listenMethodsOf(nodeResponse, noteUse);

const own = {
  ...fieldMethods,
  ...listenMethods,
  writeHead,
  // Not in Node 26 any more.
  ...('writeHeader' in nodeResponse ? { writeHeader: writeHead } : {}),
  _implicitHeader: implicitHeader,
  write,
  flushHeaders,
  end,
  _send: sendInOrder,
};

Object.defineProperty(ServerResponse.prototype, kAsciiHead, {
  configurable: true,
  get(this: EngineResponse): boolean {
    return this[kLife] === Life.Lean && !this[kOctetsOutsideAscii] && !this.statusMessage;
  },
});

for (const [name, value] of Object.entries(own)) defineMethod(ServerResponse.prototype, name, value);
