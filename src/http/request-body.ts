import { EventEmitter } from 'node:events';
import http = require('node:http');
import type { Socket } from 'node:net';
import type { BodyCollector } from '../core/whole-body.js';
import type { EngineRequest } from './messages.js';
import {
  defineOwn,
  kBody,
  kBodySize,
  kCollector,
  kCount,
  kLines,
  kRawTrailers,
  kTrailers,
  type OwnRequest,
} from './own-request.js';
import { collectFields } from './request-fields.js';
import { NodeRequest } from './node-http.js';
import { Life, kLife } from './symbols.js';

/**
 * Takes a piece of the body that arrived.
 *
 * @returns false when the reader has enough for now and the socket should be paused
 */
export function receiveBody(request: EngineRequest, data: Buffer): boolean {
  const req = request as OwnRequest;
  if (isOver(req)) return true;
  if (req[kLife] === Life.Node) {
    if (req._dumped) return true;
    const wanted = req.push(data);
    if (!req._consuming) noteReader(req);
    return wanted;
  }
  (req[kBody] ??= []).push(data);
  req[kBodySize] += data.length;
  const collector = req[kCollector];
  if (collector !== null) {
    if (req[kBodySize] > collector.limit) becomeNodeRequest(req);
    return true;
  }
  return req[kBodySize] < req.socket.readableHighWaterMark;
}

/**
 * node's parser lets the process have its ticks between a body and the end of its message: who listens for data has begun to
 * read by then, and what is read is not dumped when the response is out.
 */
function noteReader(req: OwnRequest): void {
  const state = req._readableState;
  if (!state.flowing && !state.readableListening) return;
  req._consuming = true;
  // With the first `_read()` of node's.
  state.readingMore = false;
}

/** The request has no body to read: its stream is over before it began (node: `_dumpAndCloseReadable`). */
export function closeStream(request: EngineRequest): void {
  request._dumped = true;
  request._consuming = true;
}

/** The message is complete; `trailers` has names and values in turn. */
export function completeRequest(request: EngineRequest, trailers: string[]): void {
  const req = request as OwnRequest;
  req.complete = true;
  if (trailers.length !== 0) {
    req[kRawTrailers] = trailers;
    // Read before they came: node fills in the object that it gave.
    if (req[kTrailers] !== undefined) Object.assign(req[kTrailers], collectFields(req, trailers));
  }
  if (req[kLife] === Life.Node) {
    if (!isOver(req)) req.push(null);
  } else if (req[kCollector] !== null) {
    handOverBody(req, req[kCollector]);
  }
}

function handOverBody(req: OwnRequest, collector: BodyCollector): void {
  const chunks = req[kBody] ?? [];
  req[kCollector] = null;
  req[kBody] = null;
  // Read to its end, as far as anybody can tell later.
  req._dumped = true;
  req._consuming = true;
  try {
    collector.whole(chunks, req[kBodySize]);
  } catch (error) {
    // From a listener of 'end', in a tick of its own, it would come under node. To the parser it is nothing.
    process.nextTick(rethrow, error);
  }
}

function rethrow(error: unknown): never {
  throw error;
}

/** The program has destroyed it, or the engine has given up on the rest of it. */
function isOver(req: OwnRequest): boolean {
  return req[kLife] === Life.Node ? req.destroyed : req._dumped;
}

/** In place of the size of a body: the request has been answered, and nobody has asked for its stream so far. */
const ANSWERED = -1;

/** node's method that parts `req.signal` from the socket; where there is no `signal`, there is none. */
const kDetachSignal = Object.getOwnPropertySymbols(http.IncomingMessage.prototype).find(
  ({ description }) => description === 'kDetachAbortSignal',
);

/** The response is out: what is left of the body nobody wants (node: `_dump`). */
export function dumpUnread(request: EngineRequest): void {
  const req = request as OwnRequest;
  // Who collects the body is reading it, and goes on: by the stream.
  if (req[kLife] === Life.Lean && req[kCollector] === null && req.emit === EventEmitter.prototype.emit) {
    req[kBodySize] = ANSWERED;
    if (req.complete && req[kBody] === null) return;
    req._dumped = true;
    req[kBody] = null;
    return;
  }
  if (!req._consuming && !req._readableState.resumeScheduled) req._dump();
  if (req[kLife] === Life.Node) detachSignal(req);
}

/** Answered: that its connection closes later is no abort of this request any more. */
function detachSignal(req: OwnRequest): void {
  if (kDetachSignal !== undefined) (req as unknown as Record<symbol, () => void>)[kDetachSignal]();
}

/** Whether the body can still be handed over whole: nobody has asked for it, and none of it is here. */
export function isUntouchedRequest(req: OwnRequest): boolean {
  if (req[kLife] !== Life.Lean || req.complete || req._dumped) return false;
  if (req[kBody] !== null || req[kCollector] !== null) return false;
  return req.emit === EventEmitter.prototype.emit;
}

/**
 * Builds node's own state on a request of the engine and hands over what has arrived: from here on it is the `Readable`
 * that node would have made, run by node's code.
 */
export function becomeNodeRequest(req: OwnRequest): void {
  const { url, method, complete, socket, aborted, upgrade, _dumped, _consuming, joinDuplicateHeaders } = req;
  const { httpVersion, httpVersionMajor, httpVersionMinor } = req;
  const lines = req[kLines];
  const count = req[kCount];
  const rawTrailers = req[kRawTrailers];
  const body = req[kBody];
  const collector = req[kCollector];
  const consumed = _consuming;
  const answered = req[kBodySize] === ANSWERED;
  req[kLife] = Life.Node;
  // An own property first, or node's assignment would end in the accessor that brought us here.
  defineOwn(req, '_readableState', undefined);
  (NodeRequest as unknown as (this: OwnRequest, socket: Socket) => void).call(req, socket);
  req[kLines] = lines;
  req[kCount] = count;
  req[kRawTrailers] = rawTrailers;
  req[kBody] = null;
  Object.assign(req, { url, method, httpVersion, httpVersionMajor, httpVersionMinor, aborted, upgrade });
  if (joinDuplicateHeaders) Object.assign(req, { joinDuplicateHeaders });
  req.complete = complete;
  if (answered) detachSignal(req);
  if (consumed) {
    endQuietly(req);
    return;
  }
  if (_dumped || answered) {
    if (complete) req.push(null);
    req._dump();
    return;
  }
  if (body !== null) {
    for (const data of body) req.push(data);
  }
  if (complete) req.push(null);
  if (collector !== null) {
    req[kCollector] = null;
    collector.asStream();
  }
}

/** The body was handed over whole: its stream has ended, and was heard to. */
function endQuietly(req: OwnRequest): void {
  Object.assign(req._readableState, {
    ended: true,
    endEmitted: true,
    destroyed: true,
    closed: true,
    closeEmitted: true,
  });
  req._dumped = true;
  req._consuming = true;
}
