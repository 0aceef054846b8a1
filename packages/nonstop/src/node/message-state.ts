import { asConstructor } from '../core/hidden.js';
import type { Socket } from 'node:net';
import { NodeRequest, NodeHttpServer, NodeResponse } from './classes.js';
import { symbolOf } from './symbols.js';
import { sampleResponse, TIMING_STATE } from './sample-response.js';

/*
 * Undocumented state of node's messages and their sockets. The engine's messages have it under the same names, so that node's own methods and
 * packages find it. Outside this folder only `http` and `http2` may use these names, and no others: a test checks that.
 */

/** The listeners of every emitter of node. */
interface EmitterState {
  _events: unknown;
  _eventsCount: number;
  _maxListeners: number | undefined;
}

export interface RequestState extends EmitterState {
  upgrade: boolean;
  /** The rest of the body is dropped. */
  _dumped: boolean;
  /** The body has a reader. */
  _consuming: boolean;
  _dump(): void;
  /** The stream's state. */
  _readableState: object;
}

export interface ResponseState extends EmitterState {
  writable: boolean;
  finished: boolean;
  destroyed: boolean;
  chunkedEncoding: boolean;
  maxRequestsOnConnectionReached: boolean;
  /** The head; null until it is made. */
  _header: string | null;
  _headerSent: boolean;
  _hasBody: boolean;
  _contentLength: number | null;
  _trailer: string;
  /** The connection closes after this response. */
  _last: boolean;
  _closed: boolean;
  /** The program removed a field that node would add. */
  _removedConnection: boolean;
  _removedContLen: boolean;
  _removedTE: boolean;
  _defaultKeepAlive: boolean;
  _keepAliveTimeout: number;
  _maxRequestsPerSocket: number | null;
  _expect_continue: boolean;
  _sent100: boolean;
  /** What waits for the socket. */
  outputData: { data: unknown; encoding: unknown; callback: unknown }[];
  outputSize: number;
  _onPendingData(delta: number): void;
  _implicitHeader(): void;
  _storeHeader(line: string, fields: object | null | undefined): void;
  _send(data: unknown, encoding?: unknown, callback?: unknown, size?: unknown): boolean;
  _writeRaw(data: unknown, encoding?: unknown, callback?: unknown, size?: unknown): boolean;
}

export interface SocketState<Response> {
  /** The response whose turn it is; packages for graceful shutdown use it to find idle connections. */
  _httpMessage?: Response | null;
  /** Reading is stopped until responses are taken; node's `IncomingMessage` does not resume such a socket. */
  _paused?: boolean;
  /** node's parser of the connection; null where the connection has left HTTP. */
  parser?: object | null;
  /** The socket was closed by an error. */
  readonly _hadError?: boolean;
  /** Emits `'timeout'`, unless the kernel has taken a part of what waits since the last call. */
  _onTimeout?(): void;
}

/** An object without state if the constructor of a later Node throws: then node serves all servers. */
function madeBy(make: () => object): object {
  try {
    return make();
  } catch {
    return {};
  }
}

/** The state that node's constructors store on messages. */
const request = madeBy(() => new (asConstructor<[socket?: Socket]>(NodeRequest))());

/** `headers` as they were read last, or null. */
export const kNodeHeaders = symbolOf(request, 'kHeaders')!;
/** Entries of `rawHeaders` that `headers` is made of. */
export const kHeadersCount = symbolOf(request, 'kHeadersCount')!;
export const kNodeTrailers = symbolOf(request, 'kTrailers')!;
export const kTrailersCount = symbolOf(request, 'kTrailersCount')!;
/** The state behind `req.signal` (Node 26 and later releases of 24). */
export const kAbortController = symbolOf(request, 'kAbortController');
export const kAbortSignalSocket = symbolOf(request, 'kAbortSignalSocket');
export const kAbortSignalListener = symbolOf(request, 'kAbortSignalListener');
export const kAbortSignalDetached = symbolOf(request, 'kAbortSignalDetached');

/** node's method that separates `req.signal` from the socket; undefined in versions without `signal`. */
export const kDetachAbortSignal = symbolOf(NodeRequest.prototype, 'kDetachAbortSignal');

/** The state that node's constructor stores on a response. */
const response = madeBy(sampleResponse);

/** The fields that were set, by name in lower case; null until one is set. */
export const kOutHeaders = symbolOf(response, 'kOutHeaders');
/** The socket, while it is the response's turn. In Node 20 this is the plain property `socket`. */
export const kSocket = symbolOf(response, 'kSocket');
/** The number of corks of the response; parts are collected while it is not 0 (Node 26). */
export const kCorked = symbolOf(response, 'corked')!;
export const kNeedDrain = symbolOf(response, 'kNeedDrain')!;
export const kErrored = symbolOf(response, 'errored')!;
export const kBytesWritten = symbolOf(response, 'kBytesWritten')!;
export const kHighWaterMark = symbolOf(response, 'kHighWaterMark')!;
export const kRejectNonStandardBodyWrites = symbolOf(response, 'kRejectNonStandardBodyWrites')!;
/** The parts of one chunk as a flat list of data, encoding and callback (Node 22 and later). */
export const kChunkedBuffer = symbolOf(response, 'kChunkedBuffer');
/** The total length of the parts, in octets. */
export const kChunkedLength = symbolOf(response, 'kChunkedLength');
/** Node 24 and later: the state of `end()`. In older versions a response is finished when nothing is left to write. */
export const kWritableFinished = symbolOf(response, 'kWritableFinished');
export const kEndCallbacks = symbolOf(response, 'kEndCallbacks');
export const kFlushError = symbolOf(response, 'kFlushError');
/** True on emitters whose listeners have places in a fixed order: then a place stays when its listener goes. */
export const kShapeMode = symbolOf(response, 'shapeMode');
/** Node 26.12 and later: whether fields of the response are checked leniently; null until it is asked. */
export const kLenientCache = symbolOf(response, 'kLenientCache');
const plainServer = new NodeHttpServer();
/** On a server and its responses: names of fields whose values are joined in one line. */
export const kUniqueHeaders = symbolOf(plainServer, 'kUniqueHeaders');

const REQUEST_SYMBOLS: readonly (symbol | undefined)[] = [
  kNodeHeaders,
  kHeadersCount,
  kNodeTrailers,
  kTrailersCount,
  kAbortController,
  kAbortSignalSocket,
  kAbortSignalListener,
  kAbortSignalDetached,
];

/** As {@link RESPONSE_NAMES}. */
const REQUEST_NAMES = new Set(
  (
    '_events _eventsCount _maxListeners _readableState socket httpVersionMajor httpVersionMinor httpVersion complete rawHeaders ' +
    'rawTrailers joinDuplicateHeaders aborted upgrade url method statusCode statusMessage client _consuming _dumped domain'
  ).split(' '),
);

const RESPONSE_SYMBOLS: readonly (symbol | undefined)[] = [
  kOutHeaders,
  kSocket,
  kCorked,
  kNeedDrain,
  kErrored,
  kBytesWritten,
  kHighWaterMark,
  kRejectNonStandardBodyWrites,
  kChunkedBuffer,
  kChunkedLength,
  kWritableFinished,
  kEndCallbacks,
  kFlushError,
  kLenientCache,
];

/** Names of node's state that the engine stores too, or that have an accessor (`outputData`). */
const RESPONSE_NAMES = new Set(
  (
    '_events _eventsCount _maxListeners outputData outputSize writable destroyed _last chunkedEncoding shouldKeepAlive ' +
    'maxRequestsOnConnectionReached _defaultKeepAlive useChunkedEncodingByDefault sendDate _removedConnection ' +
    '_removedContLen _removedTE strictContentLength _contentLength _hasBody _trailer finished _headerSent _closed socket ' +
    '_header _keepAliveTimeout _onPendingData req _sent100 _expect_continue ' +
    // Present once `node:domain` is loaded (ts-node does), and while responses are timed. node's constructor makes every response then
    // (http/server/observers).
    `domain ${TIMING_STATE.property}`
  ).split(' '),
);

/** EventEmitter's state, which an object without own properties inherits from the prototype; and that of timings. */
const OTHER_SYMBOLS = new Set<string>(['shapeMode', 'kCapture', TIMING_STATE.symbol]);

function unknownIn(message: object, names: ReadonlySet<string>, symbols: readonly (symbol | undefined)[]): string[] {
  const isKnown = (key: string | symbol): boolean =>
    typeof key === 'string' ? names.has(key) : symbols.includes(key) || OTHER_SYMBOLS.has(key.description ?? '');
  return Reflect.ownKeys(message)
    .filter((key) => !isKnown(key))
    .map(String);
}

/** State of node's messages that this package does not know: node's methods might not work on the engine's messages. */
export const UNKNOWN_STATE: readonly string[] = [
  ...unknownIn(request, REQUEST_NAMES, REQUEST_SYMBOLS),
  ...unknownIn(response, RESPONSE_NAMES, RESPONSE_SYMBOLS),
];

/** What every supported Node has, by its name in node. */
const NEEDED: Readonly<Record<string, symbol | undefined>> = {
  kHeaders: kNodeHeaders,
  kHeadersCount,
  kTrailers: kNodeTrailers,
  kTrailersCount,
  kOutHeaders,
  corked: kCorked,
  kNeedDrain,
  errored: kErrored,
  kBytesWritten,
  kHighWaterMark,
  kRejectNonStandardBodyWrites,
  kUniqueHeaders,
  // On a server: the classes of its messages.
  IncomingMessage: symbolOf(plainServer, 'IncomingMessage'),
  ServerResponse: symbolOf(plainServer, 'ServerResponse'),
};
const METHODS = '_send _writeRaw _implicitHeader _storeHeader assignSocket detachSocket'.split(' ');

/** What this Node lacks of these. */
export const MISSING_STATE: readonly string[] = Object.keys(NEEDED)
  .filter((name) => NEEDED[name] === undefined)
  .concat(METHODS.filter((name) => !(name in NodeResponse.prototype)))
  .concat(['_dump'].filter((name) => !(name in NodeRequest.prototype)));
