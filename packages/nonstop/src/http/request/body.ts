import { EventEmitter } from 'node:events';
import { nodesProcess } from '../../core/clock.js';
import { defineOwn } from '../../core/define-own.js';
import type { BodyCollector } from '../../core/shortcuts.js';
import { isBodyWatched, isPushWatched } from '../../node/genuine-methods.js';
import { EMPTY_REQUESTS_END_AT_ONCE } from '../../node/differences.js';
import { kDetachAbortSignal } from '../../node/message-state.js';
import {
  initializeReadable,
  isResumeScheduled,
  markClosed,
  markEmitted,
  markEnded,
  markRead,
  markReading,
  pushEndQuietly,
  readNoFurther,
} from '../../node/stream-state.js';
import { nodeRequest } from '../../node/classes.js';
import { type EngineRequest, Life, kConnection, kLife, listenMethodsOf, messageOf } from '../message.js';
import { Reply, kBody, kBodySize, kCollector, kReply, type OwnRequest } from './own-request.js';
import { octetsOf } from '../../node/octets.js';
import { throwInTick } from '../../node/callback-scope.js';
import type { RequestParser } from '../../wire/parser.js';
import { addTrailers, giveFieldsToNode } from './fields.js';
import { GatheredBody } from './gathered-body.js';

/**
 * Receives a piece of the body.
 *
 * @param data text of the whole body, with a character for each octet, for a collector that takes text
 * @returns false if the reader has enough for now and the socket should be paused
 */
export function receiveBody(request: EngineRequest, data: Buffer | string): boolean {
  const req = request as OwnRequest;
  if (req._dumped) return true;
  if (typeof data === 'string') return receiveText(req, data);
  if (req[kLife] === Life.Lean && isReplacedFor(req)) becomeNodeRequest(req);
  if (req[kLife] === Life.Node) return req.push(data);
  const collector = req[kCollector];
  if (collector !== null && req[kBodySize] + data.length > collector.limit && req[kBody] instanceof GatheredBody) {
    // The piece goes through the stream: its listener compares with the limit.
    becomeNodeRequest(req);
    return req.push(data);
  }
  keepPiece(req, data);
  req[kBodySize] += data.length;
  if (collector !== null) {
    if (req[kBodySize] > collector.limit) becomeNodeRequest(req);
    return true;
  }
  // The connection's socket: programs replace `req.socket`.
  return req[kBodySize] < req[kConnection].socket.readableHighWaterMark;
}

/** Whether a program has replaced a method that would pass the next piece on. */
function isReplacedFor(req: OwnRequest): boolean {
  if (req[kCollector] === null) return isPushWatched(req);
  return req[kBody] instanceof GatheredBody && isBodyWatched(req, listenMethods.on);
}

function keepPiece(req: OwnRequest, data: Buffer): void {
  const body = req[kBody];
  if (!(body instanceof GatheredBody)) ((req[kBody] as Buffer[] | null) ??= []).push(data);
  else if (!body.has(data)) body.add(data, 0, data.length);
}

function receiveText(req: OwnRequest, text: string): boolean {
  const collector = req[kCollector];
  if (req[kLife] !== Life.Lean || collector?.takesText !== true || text.length > collector.limit)
    return receiveBody(req, octetsOf(text));
  req[kBody] = text;
  req[kBodySize] = text.length;
  return true;
}

/** The request has no body: its stream ends before it starts (node: `_dumpAndCloseReadable`). */
export function closeStream(request: EngineRequest): void {
  request._dumped = true;
  request._consuming = true;
}

/** The message is complete; `trailers` has alternating names and values. */
export function completeRequest(request: EngineRequest, trailers: string[]): void {
  const req = request as OwnRequest;
  req.complete = true;
  if (trailers.length !== 0) addTrailers(req, trailers);
  if (req[kLife] === Life.Node) {
    // For a destroyed stream too, as in node: its `'end'` is still emitted.
    req.push(null);
  } else if (req[kCollector] !== null) {
    handOverBody(req, req[kCollector]);
  }
}

/**
 * Called at the end of a read, if the rest of the body comes in another. A body that a parser collects is gathered if its length is known.
 */
export function collectFurther(request: EngineRequest, parser: RequestParser): void {
  const req = request as OwnRequest;
  if (req[kCollector] === null || req[kBody] === null || req[kBody] instanceof GatheredBody) return;
  if (!req[kCollector].goesOn || !GatheredBody.canGather(parser.contentLength)) return becomeNodeRequest(req);
  const body = new GatheredBody(req[kBody] as Buffer[], parser.contentLength);
  parser.memory = req[kBody] = body;
  nodesProcess.nextTick(startFlowing, body);
}

function startFlowing(body: GatheredBody): void {
  body.isFlowing = true;
}

/**
 * Called if a body that a parser collects did not come alone, or will not come whole. It is read from the stream then, so that what has
 * arrived is reported before what happens next: a fault or the next request.
 */
export function collectNoFurther(request: EngineRequest): void {
  const req = request as OwnRequest;
  if (req[kCollector] !== null && req[kBody] !== null) becomeNodeRequest(req);
}

/** The request whose body a parser gets just now: under node its stream emits `'end'`, and is not destroyed yet. */
let ending: OwnRequest | null = null;

function handOverBody(req: OwnRequest, collector: BodyCollector): void {
  const body = req[kBody] ?? [];
  const chunks = body instanceof GatheredBody ? [body.finish()] : body;
  req[kCollector] = null;
  req[kBody] = null;
  // Later readers find a body that was read to its end.
  req._consuming = true;
  const outer = ending;
  ending = req;
  try {
    collector.whole(chunks, req[kBodySize]);
    // A stream that a handler has used is node's by now. node destroys it behind the listeners of 'end' (`endReadableNT`).
    if (req[kLife] === Life.Node) req.destroy();
  } catch (error) {
    // Under node this comes from a listener of 'end' in its own tick. The parser does not need it.
    throwInTick(error);
  } finally {
    ending = outer;
  }
}

/** Listeners learn that the response is sent, and may destroy its request: under node that still ends the connection. */
export function noteFinishing(request: EngineRequest): void {
  const req = request as OwnRequest;
  if (req[kReply] === Reply.Sent) req[kReply] = Reply.Finishing;
}

/** The event was emitted; `closed` for `'close'`, the last one. */
export function noteAllTold(request: EngineRequest, closed: boolean): void {
  const req = request as OwnRequest;
  if (req[kReply] === Reply.Finishing && (closed || (EMPTY_REQUESTS_END_AT_ONCE && !req._dumped)))
    req[kReply] = Reply.Sent;
}

/** The response is sent: the rest of the body is dropped (node: `_dump`). */
export function dumpUnread(request: EngineRequest, heard: boolean): void {
  const req = request as OwnRequest;
  // A parser that collects the body continues, through the stream.
  const unheard = req._eventsCount === 0 && req.emit === EventEmitter.prototype.emit;
  // Listeners for the end of the response may still read what has arrived: under node it is dropped a tick later.
  const stays = heard && req[kBody] !== null;
  if (req[kLife] === Life.Lean && req[kCollector] === null && unheard && !stays) {
    req[kReply] = Reply.Sent;
    if (req.complete && req[kBody] === null) return;
    req._dumped = true;
    req[kBody] = null;
    return;
  }
  if (!req._consuming && !isResumeScheduled(req)) req._dump();
  if (req[kLife] === Life.Node) detachSignal(req);
  else req[kReply] = Reply.Sent;
}

/** The request was answered: a connection that closes later does not abort it. */
function detachSignal(req: OwnRequest): void {
  if (kDetachAbortSignal !== undefined) (req[kDetachAbortSignal] as () => void).call(req);
}

/**
 * The methods that add listeners, which pass no accessor: a request with a listener is node's from then on. The listeners are
 * its own, even if they are added to an object that inherits from it.
 */
export const listenMethods = listenMethodsOf(nodeRequest, (req: OwnRequest) => {
  if (req[kLife] === Life.Lean) becomeNodeRequest(messageOf(req) as OwnRequest);
});

/** Whether the body can be handed over whole: it was not read, is not observed, and nothing of it has arrived, or all of it. */
export function isUntouchedRequest(req: OwnRequest): boolean {
  if (req[kLife] !== Life.Lean || req._dumped || req._consuming || req[kCollector] !== null) return false;
  if (req.complete !== (req[kBody] !== null) || req[kReply] !== Reply.Due) return false;
  // A prepended listener did not go through the stream.
  return req._eventsCount === 0 && !isBodyWatched(req, listenMethods.on);
}

/** A parser gets the body of an untouched request. @returns false if it has to read the stream, which also tells by how much a body is too long */
export function collectWith(req: OwnRequest, collector: BodyCollector): boolean {
  if (req.complete && (!collector.goesOn || req[kBodySize] > collector.limit)) return false;
  req[kCollector] = collector;
  if (req.complete) nodesProcess.nextTick(flow, req);
  return true;
}

/** All of the body waits. A stream would begin to flow in this tick, and end in the next. */
function flow(req: OwnRequest): void {
  if (req[kLife] !== Life.Lean || req[kCollector] === null) return;
  const body = new GatheredBody(req[kBody] as Buffer[], req[kBodySize]);
  body.isFlowing = true;
  req[kBody] = body;
  nodesProcess.nextTick(endFlow, req);
}

function endFlow(req: OwnRequest): void {
  const { [kCollector]: collector } = req;
  if (req[kLife] === Life.Lean && collector !== null) handOverBody(req, collector);
}

/**
 * Builds node's own state on a request of the engine and passes on what has arrived. From here on it is the `Readable`
 * that node would have made, run by node's code.
 */
export function becomeNodeRequest(req: OwnRequest): void {
  const { complete, _consuming, _dumped, [kBody]: body, [kReply]: reply } = req;
  const isAnswered = reply !== Reply.Due;
  makeStream(req);
  if (isAnswered) detachSignal(req);
  if (_consuming) endRead(req);
  else if (complete && reply === Reply.Sent) endLate(req);
  else if (isAnswered || (_dumped && body === null)) dropRest(req, reply);
  else passOn(req, body);
}

/** A parser has got the whole body, or the request has none, which is then `_dumped`. */
function endRead(req: OwnRequest): void {
  if (req._dumped) return markClosed(req);
  markRead(req, req[kBodySize] !== 0);
  if (req === ending) markEnded(req);
  else markClosed(req);
}

/** Under node the stream has ended and is closed by now. A listener that is added now still gets the events, so that it does not wait for ever. */
function endLate(req: OwnRequest): void {
  markClosed(req);
  req._dumped = true;
  req._consuming = true;
  nodesProcess.nextTick(tellLate, req);
}

function tellLate(req: OwnRequest): void {
  req.emit('end');
  req.emit('close');
}

/** The program has not read the body before its answer: the rest is dropped. */
function dropRest(req: OwnRequest, reply: Reply): void {
  const { complete } = req;
  if (!complete && reply === Reply.Sent) {
    // node has resumed the socket for the rest of the body by now. A later pause by the program stays.
    markReading(req);
    req._consuming = true;
  }
  req._dumped = false;
  if (complete) req.push(null);
  req._dump();
}

function piecesOf(body: Buffer[] | string | null): readonly Buffer[] {
  return typeof body === 'string' ? [octetsOf(body)] : (body ?? []);
}

/** Pushes what has arrived. A parser that collects the body reads it from the stream. */
function passOn(req: OwnRequest, body: OwnRequest[typeof kBody]): void {
  const pieces = body instanceof GatheredBody ? [body.giveUp(req[kBodySize])] : piecesOf(body);
  // Under node the parser has got these octets: an abort tells how many, and listeners that are added now do not hear of them.
  const isRead = body instanceof GatheredBody && body.isFlowing;
  if (isRead) markEmitted(req);
  else for (const data of pieces) req.push(data);
  if (req.complete) pushEnd(req);
  const { [kCollector]: collector } = req;
  if (collector !== null) {
    req[kCollector] = null;
    collector.asStream(isRead ? pieces[0] : undefined);
  }
}

/** Has node's own code run a request from its start, so that all of node's methods are called that are called under node. */
export function beginAsNodeRequest(request: EngineRequest): void {
  const req = request as OwnRequest;
  giveFieldsToNode(req);
  becomeNodeRequest(req);
}

/**
 * Ends the stream of a complete request. Under node the read of the request does that, with a tick that has run by the time a handler
 * continues after an `await`. A second tick here would end the stream before the response's `'finish'`.
 */
function pushEnd(req: OwnRequest): void {
  if (req[kConnection].reading.isHandling) req.push(null);
  else pushEndQuietly(req);
}

/**
 * As node's constructor does. The property is defined first, because an assignment would call the accessor. The request is node's only when
 * all of it is there: a program that calls itself too often runs out of stack here, catches that, and the connection goes on.
 */
function makeStream(req: OwnRequest): void {
  try {
    req[kConnection].touched(req);
    defineOwn(req, '_readableState', undefined);
    initializeReadable(req, { highWaterMark: req[kConnection].socket.readableHighWaterMark });
    readNoFurther(req);
  } catch (fault) {
    delete (req as { _readableState?: unknown })._readableState;
    throw fault;
  }
  req[kBody] = null;
  req[kLife] = Life.Node;
}
