import type { Socket } from 'node:net';
import { NodeRequest, NodeHttpServer, NodeResponse } from './classes.js';
import { symbolOf } from './symbols.js';
import type http = require('node:http');

/** What node's constructors store on the messages that they make. */
const request = new (NodeRequest as unknown as new (socket?: Socket) => object)();

/** `headers` as they were read last, or null. */
export const kNodeHeaders = symbolOf(request, 'kHeaders')!;
/** Entries of `rawHeaders` that `headers` is made of. */
export const kHeadersCount = symbolOf(request, 'kHeadersCount')!;
export const kNodeTrailers = symbolOf(request, 'kTrailers')!;
export const kTrailersCount = symbolOf(request, 'kTrailersCount')!;
/** What `req.signal` stands on (Node 26, and 24 from some release on). */
export const kAbortController = symbolOf(request, 'kAbortController');
export const kAbortSignalSocket = symbolOf(request, 'kAbortSignalSocket');
export const kAbortSignalListener = symbolOf(request, 'kAbortSignalListener');
export const kAbortSignalDetached = symbolOf(request, 'kAbortSignalDetached');

/** node's method that parts `req.signal` from the socket; where there is no `signal`, there is none. */
export const kDetachAbortSignal = symbolOf(NodeRequest.prototype, 'kDetachAbortSignal');

/**
 * What node's constructor stores on a response. The engine stores the same under the same names, so that node's own methods,
 * and whatever reads such state, find on a response of the engine what they find on one of node's.
 */
const response = new NodeResponse({
  method: 'GET',
  headers: {},
  httpVersionMajor: 1,
  httpVersionMinor: 1,
} as http.IncomingMessage) as unknown as Record<PropertyKey, unknown>;

/** The fields that were set, by their names in lower case; null until there is one. */
export const kOutHeaders = symbolOf(response, 'kOutHeaders');
/** The socket while it is the turn of the response. Up to Node 20 it is the plain property `socket`. */
export const kSocket = symbolOf(response, 'kSocket');
/** Corks of the response; its parts are gathered while there is one (Node 26). */
export const kCorked = symbolOf(response, 'corked')!;
export const kNeedDrain = symbolOf(response, 'kNeedDrain')!;
export const kErrored = symbolOf(response, 'errored')!;
export const kBytesWritten = symbolOf(response, 'kBytesWritten')!;
export const kHighWaterMark = symbolOf(response, 'kHighWaterMark')!;
export const kRejectNonStandardBodyWrites = symbolOf(response, 'kRejectNonStandardBodyWrites')!;
/** Parts of one chunk: data, encoding, callback; and so on (Node 22 and later). */
export const kChunkedBuffer = symbolOf(response, 'kChunkedBuffer');
/** Octets of the parts. */
export const kChunkedLength = symbolOf(response, 'kChunkedLength');
/** Node 24 and later: what became of `end()`. Before, a response is finished once nothing of it is left to write. */
export const kWritableFinished = symbolOf(response, 'kWritableFinished');
export const kEndCallbacks = symbolOf(response, 'kEndCallbacks');
export const kFlushError = symbolOf(response, 'kFlushError');
/** On a server, and on each of its responses: names whose values travel in one line. */
export const kUniqueHeaders = symbolOf(new NodeHttpServer(), 'kUniqueHeaders');

const KNOWN_SYMBOLS: readonly (symbol | undefined)[] = [
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
];

/** Names of node's own state under which the engine stores the same, or has a door (`outputData`). */
const KNOWN_NAMES = new Set(
  (
    '_events _eventsCount _maxListeners outputData outputSize writable destroyed _last chunkedEncoding shouldKeepAlive ' +
    'maxRequestsOnConnectionReached _defaultKeepAlive useChunkedEncodingByDefault sendDate _removedConnection ' +
    '_removedContLen _removedTE strictContentLength _contentLength _hasBody _trailer finished _headerSent _closed socket ' +
    '_header _keepAliveTimeout _onPendingData req _sent100 _expect_continue'
  ).split(' '),
);

/** EventEmitter's. What they stand for is read from its prototype where an object has none of its own. */
const EMITTER_SYMBOLS = new Set(['shapeMode', 'kCapture']);

/**
 * State of node's that this package does not know. Where there is some, on a Node to come, a server is left to node:
 * its methods could not be relied on to do on the engine's responses what they do on node's.
 */
export const UNKNOWN_STATE: readonly string[] = Reflect.ownKeys(response)
  .filter((key) =>
    typeof key === 'string'
      ? !KNOWN_NAMES.has(key)
      : !KNOWN_SYMBOLS.includes(key) && !EMITTER_SYMBOLS.has(key.description ?? ''),
  )
  .concat(kOutHeaders === undefined ? ['kOutHeaders'] : [])
  .map(String);
