import http = require('node:http');
import type { Socket } from 'node:net';
import { CORKS_ARE_SHARED, DRAIN_MEANS_EMPTY, TICKS_ARE_CHUNKS } from '../core/node-differences.js';
import { encodeChunk } from '../wire/encode-body.js';
import { kGathered, kNeedsDrain, kPending, storedFields, type EngineResponse } from './messages.js';
import { NodeResponse } from './node-http.js';
import { Life, kConnection, kLife } from './symbols.js';

type NodeMethod = (this: unknown, ...args: unknown[]) => never;

/** node's own methods, looked up at each call so that what instruments them later is met as well. */
export const nodeResponse = http.ServerResponse.prototype as unknown as Record<string, NodeMethod>;

const sample = new http.ServerResponse({
  method: 'GET',
  httpVersionMajor: 1,
  httpVersionMinor: 1,
} as http.IncomingMessage);

/**
 * node keeps "a writer waits for drain" and the names sent once only under symbols of its own. Without the first a response
 * that became node's would never emit `'drain'`; where a Node has none, the fallback is that the connection emits it.
 */
const kNodeNeedsDrain = symbolOf(sample, 'kNeedDrain');
/** Up to Node 22 a response is finished once nothing of it is left to write; later, when it is told so. */
const FINISHED_IS_WRITTEN = symbolOf(sample, 'kWritableFinished') === undefined;
const kUniqueHeaders = symbolOf(new http.Server(), 'kUniqueHeaders');

function symbolOf(holder: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description);
}

type Loose = Record<string | symbol, unknown>;

/**
 * Builds node's own state on a response of the engine. From here on it is the `ServerResponse` that node would have made,
 * with all that was set on it so far, and node's code runs it.
 */
export function becomeNode(res: EngineResponse): void {
  const life = res[kLife];
  if (!life) return;
  const connection = res[kConnection];
  const loose = res as unknown as Loose;
  // What node's constructor resets, and the program or the engine may have set before; one by one, because a list of
  // names is eight times as slow.
  const { statusCode, statusMessage, shouldKeepAlive, maxRequestsOnConnectionReached } = res;
  const { useChunkedEncodingByDefault, sendDate, strictContentLength, chunkedEncoding } = res;
  const { _removedConnection, _removedContLen, _removedTE, _defaultKeepAlive } = res;
  const { _contentLength, _hasBody, _last, _expect_continue, _sent100 } = res;
  const { finished, destroyed, _closed, _header, _headerSent } = res;
  const fields = storedFields(res);
  const gathered = res[kGathered];
  res[kLife] = Life.Node;
  const { server, socket } = connection;
  (NodeResponse as unknown as (this: unknown, req: unknown, options: unknown) => void).call(res, res.req, {
    highWaterMark: socket.writableHighWaterMark,
    rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites,
  });
  res.statusCode = statusCode;
  res.statusMessage = statusMessage;
  res.shouldKeepAlive = shouldKeepAlive;
  res.maxRequestsOnConnectionReached = maxRequestsOnConnectionReached;
  res.useChunkedEncodingByDefault = useChunkedEncodingByDefault;
  res.sendDate = sendDate;
  res.strictContentLength = strictContentLength;
  res.chunkedEncoding = chunkedEncoding;
  res._removedConnection = _removedConnection;
  res._removedContLen = _removedContLen;
  res._removedTE = _removedTE;
  res._defaultKeepAlive = _defaultKeepAlive;
  res._contentLength = _contentLength;
  res._hasBody = _hasBody;
  res._last = _last;
  res._expect_continue = _expect_continue;
  res._sent100 = _sent100;
  res.finished = finished;
  res.destroyed = destroyed;
  res._closed = _closed;
  // node refuses fields once there is a head.
  for (const { name, value } of fields) nodeResponse.setHeader.call(res, name, value);
  res._header = _header;
  res._headerSent = _headerSent || life !== Life.Lean;
  if (kNodeNeedsDrain !== undefined) loose[kNodeNeedsDrain] = res[kNeedsDrain];
  res._keepAliveTimeout = server.keepAliveTimeout;
  loose._maxRequestsPerSocket = server.maxRequestsPerSocket;
  // By way of a variable: V8 puts a function literal that is assigned to a property into the old space.
  const countPending = (delta: number): void => connection.countPending(delta);
  loose._onPendingData = countPending;
  if (kUniqueHeaders !== undefined) loose[kUniqueHeaders] = (server as unknown as Loose)[kUniqueHeaders];
  if (life === Life.Lean) connection.adopt(res);
  else if (life === Life.Ended) loose.socket = connection.recall(res);
  if (gathered !== null) {
    // Nothing of it has gone to the socket: node's code gathers it as its own.
    res[kGathered] = null;
    connection.outbox.letGo();
    for (const part of gathered.parts) nodeResponse.write.call(res, part);
  }
}

/**
 * Puts a delegate in front of every method and accessor of node's that the engine has no way of its own for: it turns a lean
 * response into node's and goes on there. So a member that a future Node adds works without being known here.
 */
export function delegateRest(prototype: object, known: string[]): void {
  const taken = new Set<string | symbol>(['constructor', ...known]);
  for (const source of [http.ServerResponse.prototype, http.OutgoingMessage.prototype] as object[]) {
    for (const name of Reflect.ownKeys(source)) {
      if (taken.has(name) || typeof name === 'symbol') continue;
      taken.add(name);
      const descriptor = Object.getOwnPropertyDescriptor(source, name)!;
      if (typeof descriptor.value === 'function') delegateMethod(prototype, name);
      else if (descriptor.get !== undefined) delegateAccessor(prototype, name, descriptor);
    }
  }
  // Node 20 keeps `socket` as a plain property of each response; Node 22 and later as an accessor.
  if (!taken.has('socket')) delegateAccessor(prototype, 'socket', { set: defineSocket });
}

function delegateMethod(prototype: object, name: string): void {
  const method = {
    [name](this: EngineResponse, ...args: unknown[]): unknown {
      if (this[kLife]) becomeNode(this);
      return nodeResponse[name].apply(this, args);
    },
  }[name];
  Object.defineProperty(prototype, name, { value: method, writable: true, enumerable: false, configurable: true });
}

/** Octets of an answer that waits for those before it (node: `outputSize`). */
export function waitingSize(res: EngineResponse): number {
  const answer = res[kPending];
  return answer ? answer.text.length + (answer.body?.byteLength ?? 0) : 0;
}

/** What the gathered parts will be as a chunk, with the head where that goes with it. */
function gatheredSize(res: EngineResponse): number {
  const size = res[kGathered]?.size ?? 0;
  if (size === 0) return 0;
  return (res._headerSent ? 0 : res._header!.length) + encodeChunk('', size).length + size;
}

function isWritten(res: EngineResponse): boolean {
  return waitingSize(res) === 0 && (res[kConnection].socketOf(res)?.writableLength ?? 0) === 0;
}

/** What these say of a response that is still lean, without making it node's. */
const LEAN_READINGS: Readonly<Record<string, (res: EngineResponse) => unknown>> = {
  socket: (res) => (res[kLife] === Life.Finished ? null : res[kConnection].socketOf(res)),
  connection: (res) => (res[kLife] === Life.Finished ? null : res[kConnection].socketOf(res)),
  headersSent: (res) => res._header !== null,
  writableEnded: (res) => res.finished,
  writableFinished: (res) => res[kLife] === Life.Finished || (FINISHED_IS_WRITTEN && res.finished && isWritten(res)),
  writableObjectMode: () => false,
  writableLength: (res) =>
    res[kLife] === Life.Finished
      ? 0
      : waitingSize(res) + gatheredSize(res) + (res[kConnection].socketOf(res)?.writableLength ?? 0),
  writableHighWaterMark: (res) => res[kConnection].socket.writableHighWaterMark,
  writableCorked: (res) => {
    if (CORKS_ARE_SHARED) return res[kConnection].socketOf(res)?.writableCorked ?? 0;
    return TICKS_ARE_CHUNKS && res[kConnection].outbox.gathers(res) ? 1 : 0;
  },
  writableNeedDrain: (res) => res[kNeedsDrain] && !res.destroyed && !res.finished,
  errored: () => null,
  closed: (res) => res._closed,
};

function delegateAccessor(prototype: object, name: string, { get, set }: PropertyDescriptor): void {
  const reading = Object.hasOwn(LEAN_READINGS, name) ? LEAN_READINGS[name] : undefined;
  Object.defineProperty(prototype, name, {
    enumerable: false,
    configurable: true,
    get(this: EngineResponse): unknown {
      if (this[kLife]) {
        if (reading !== undefined) return reading(this);
        becomeNode(this);
      }
      return get?.call(this);
    },
    set(this: EngineResponse, value: unknown): void {
      if (this[kLife]) becomeNode(this);
      set?.call(this, value);
    },
  });
}

function defineSocket(this: object, value: unknown): void {
  Object.defineProperty(this, 'socket', { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Gives a response that became node's its socket. Under node it would have had it from the start, so neither its listeners
 * nor a patched `emit` are to hear of a `'socket'` now.
 */
export function assignUnheard(res: EngineResponse, socket: Socket): void {
  const events = res._events;
  const emit = Object.hasOwn(res, 'emit') ? res.emit : undefined;
  res._events = undefined;
  if (emit !== undefined) res.emit = () => false;
  nodeResponse.assignSocket.call(res, socket);
  res._events = events;
  if (emit !== undefined) res.emit = emit;
}

/** The socket has room again: a response whose writer waits for that hears of it. */
export function tellDrained(res: EngineResponse): void {
  if (res.finished || !res.writableNeedDrain) return;
  if (DRAIN_MEANS_EMPTY && res.writableLength !== 0) return;
  if (res[kLife]) res[kNeedsDrain] = false;
  else if (kNodeNeedsDrain !== undefined) (res as unknown as Loose)[kNodeNeedsDrain] = false;
  res.emit('drain');
}
