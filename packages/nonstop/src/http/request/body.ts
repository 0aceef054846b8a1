import { hidden } from '../../core/hidden.js';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { BodyCollector } from '../../core/request-shortcuts.js';
import { isBodyWatched, isPushWatched } from '../../node/genuine-methods.js';
import { EMPTY_REQUESTS_END_AT_ONCE } from '../../node/differences.js';
import { kDetachAbortSignal } from '../../node/message-state.js';
import { type EngineRequest, Life, kConnection, kLife } from '../message.js';
import { defineOwn, kBody, kBodySize, kCollector, type OwnRequest } from './own-request.js';
import { throwInTick } from '../../node/callback-scope.js';
import { addTrailers } from './fields.js';

/**
 * Takes a piece of the body that arrived.
 *
 * @returns false when the reader has enough for now and the socket should be paused
 */
export function receiveBody(request: EngineRequest, data: Buffer): boolean {
  const req = request as OwnRequest;
  if (req._dumped) return true;
  if (req[kLife] === Life.Lean && req[kCollector] === null && isPushWatched(req)) becomeNodeRequest(req);
  if (req[kLife] === Life.Node) return req.push(data);
  (req[kBody] ??= []).push(data);
  req[kBodySize] += data.length;
  const collector = req[kCollector];
  if (collector !== null) {
    if (req[kBodySize] > collector.limit) becomeNodeRequest(req);
    return true;
  }
  return req[kBodySize] < req.socket.readableHighWaterMark;
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
  if (trailers.length !== 0) addTrailers(req, trailers);
  if (req[kLife] === Life.Node) {
    // Of a stream that was destroyed too, as node does: its `'end'` comes all the same.
    req.push(null);
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
    throwInTick(error);
  }
}

/** In place of the size of a body: the request has been answered, and nobody has asked for its stream so far. */
const ANSWERED = -1;
/** The same while `'finish'` and `'close'` of the response are told: under node the stream of the request has not ended yet. */
const FINISHING = -2;

/** Others are told that the response is out, and may destroy its request: under node that still ends the connection. */
export function noteFinishing(request: EngineRequest): void {
  const req = request as OwnRequest;
  if (req[kBodySize] === ANSWERED) req[kBodySize] = FINISHING;
}

/** They have been told; `closed` where that was of `'close'`, which comes last. */
export function noteAllTold(request: EngineRequest, closed: boolean): void {
  const req = request as OwnRequest;
  if (req[kBodySize] === FINISHING && (closed || (EMPTY_REQUESTS_END_AT_ONCE && !req._dumped)))
    req[kBodySize] = ANSWERED;
}

/** The response is out: what is left of the body nobody wants (node: `_dump`). */
export function dumpUnread(request: EngineRequest, heard: boolean): void {
  const req = request as OwnRequest;
  // Who collects the body is reading it, and goes on: by the stream.
  const unheard = req._eventsCount === 0 && req.emit === EventEmitter.prototype.emit;
  if (req[kLife] === Life.Lean && req[kCollector] === null && unheard) {
    // Whoever hears of the end of the response may still read what is here: under node it goes a tick later.
    if (heard && req[kBody] !== null) {
      becomeNodeRequest(req);
      req._dump();
      return;
    }
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
  if (kDetachAbortSignal !== undefined) hidden<Record<symbol, () => void>>(req)[kDetachAbortSignal]();
}

/** Whether the body can still be handed over whole: nobody has asked for it or watches it, and none of it is here. */
export function isUntouchedRequest(req: OwnRequest): boolean {
  if (req[kLife] !== Life.Lean || req.complete || req._dumped) return false;
  if (req[kBody] !== null || req[kCollector] !== null) return false;
  // A listener that was prepended did not come by the stream.
  return (req as unknown as { _eventsCount: number })._eventsCount === 0 && !isBodyWatched(req);
}

/**
 * Builds node's own state on a request of the engine and hands over what has arrived: from here on it is the `Readable`
 * that node would have made, run by node's code.
 */
export function becomeNodeRequest(req: OwnRequest): void {
  const { complete, _dumped } = req;
  const body = req[kBody];
  const collector = req[kCollector];
  const answered = req[kBodySize] < 0;
  makeStream(req);
  if (answered) detachSignal(req);
  if (req._consuming) {
    endQuietly(req);
    return;
  }
  if (complete && req[kBodySize] === ANSWERED) {
    // Under node it has been read to its end and closed since. Who listens now hears of it all the same, and does not wait for ever.
    endQuietly(req);
    process.nextTick(tellLate, req);
    return;
  }
  if (answered || (_dumped && body === null)) {
    req._dumped = false;
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

/** As node's constructor does. The property is there first, or the assignment would end at the door. */
function makeStream(req: OwnRequest): void {
  req[kLife] = Life.Node;
  req[kConnection].touched(req);
  defineOwn(req, '_readableState', undefined);
  Reflect.apply(Readable, req, [{ highWaterMark: req.socket.readableHighWaterMark }]);
  req._readableState.readingMore = true;
  req[kBody] = null;
}

function tellLate(req: OwnRequest): void {
  req.emit('end');
  req.emit('close');
}

/** The stream has ended, and was heard to. */
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
