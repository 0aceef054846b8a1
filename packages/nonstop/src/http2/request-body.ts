import http2 = require('node:http2');
import { nodesProcess } from '../core/clock.js';
import { abortedError } from '../core/errors.js';
import { Pieces } from '../core/pieces.js';
import { destroyAtEnd, initializeReadable, markEnded, markRead } from '../node/stream-state.js';
import type { BodyCollector } from '../core/shortcuts.js';
import { isWhole, receiveDirectly, stopReceiving, type BodyReceiver } from '../node/http2-bodies.js';
import { listenQuietly } from '../node/quiet-listeners.js';
import type { Carrier, Collection, Http2Request } from './messages.js';
import { joinFields } from '../node/incoming-fields.js';
import { requestOf } from './owner.js';
import { abortSignal } from './request-signal.js';
import { resetStream } from './reset.js';
import { kRequest } from '../http/message.js';
import {
  Delivery,
  kCollection,
  kDelivery,
  kReading,
  kReadTrailers,
  kResponse,
  kStream,
  kTrailers,
  Reading,
} from './symbols.js';

type Stream = http2.ServerHttp2Stream;

/**
 * Turns a request into the stream that its reader expects. Nearly all requests without a body never become one.
 *
 * With a body it closes with its HTTP/2 stream, as node's does, and not behind the body as over HTTP/1: packages that see `req.stream`, such as
 * `@connectrpc/connect-node`, take `'close'` for the end of the call. Without a body it waits for it in `stream.finished()`, as over HTTP/1.
 */
export function openStream(req: Http2Request): void {
  const before = req[kReading];
  const { readableHighWaterMark, endAfterHeaders } = req[kStream];
  initializeReadable(req, { autoDestroy: endAfterHeaders, highWaterMark: readableHighWaterMark });
  if (before === Reading.Collected) {
    markRead(req, true);
    markEnded(req);
  } else {
    req[kReading] = Reading.Open;
    if (before === Reading.Collecting) giveBack(req);
    // As over HTTP/1, where a request without a body has ended before its reader begins: it ends for one that pauses at once too.
    else if (endAfterHeaders) req.push(null);
    else if (req[kResponse][kDelivery] === Delivery.Done) dumpBody(req);
  }
  // Whoever comes later than its end hears of it too.
  if (req[kStream].destroyed) closeRequest(req);
}

/** Closes a request whose HTTP/2 stream is gone, behind its end. */
export function closeRequest(req: Http2Request): void {
  if (Object.hasOwn(req, '_readableState') && !req.destroyed) destroyAtEnd(req);
}

/**
 * The answer is sent, and nobody has read the body: the rest of it is dropped, as over HTTP/1. node closes a stream that nobody reads, so that its
 * client stops; one that has been read is read to its end.
 */
export function dumpBody(req: Http2Request): void {
  const { [kStream]: stream } = req;
  req._dumped = !req.complete;
  if (stream.destroyed) endDropped(req);
  else if (req._dumped && stream.readableFlowing === null) return;
  req.resume();
}

/** Whether nobody has come for the rest of the body since. A reader would take a part of it for all. */
export function isDropped(req: Http2Request): boolean {
  return req._dumped && req.listenerCount('data') === 0 && req.listenerCount('readable') === 0;
}

/** The stream of a dropped body is gone. */
export function endDropped(req: Http2Request): void {
  if (req.complete) return;
  endBody(req);
  req.resume();
}

/**
 * If other code reads the body that is being collected, or if it exceeds the limit, it becomes a stream from its first
 * octet.
 */
function giveBack(req: Http2Request): void {
  const { collector, pieces, isDirect } = req[kCollection]!;
  req[kCollection] = null;
  req[kReading] = Reading.Flowing;
  for (const piece of pieces.list) req.push(piece);
  if (isDirect && stopReceiving(req[kStream])) listen(req, req[kStream]);
  collector.asStream();
}

/** The entry of body parsers (`core/shortcuts`). @returns whether the collector will get the body */
export function collectBody(this: Http2Request, collector: BodyCollector): boolean {
  // An object that inherits from a request is read as a stream: the state is the request's own.
  if (!Object.hasOwn(this, kReading) || !isUntouched(this)) return false;
  this[kReading] = Reading.Collecting;
  const { [kStream]: stream } = this;
  const collection = new Collecting(this, collector);
  this[kCollection] = collection;
  collection.isDirect = receiveDirectly(stream, collection);
  if (!collection.isDirect) listen(this, stream);
  return true;
}

/** Whether the body is unused, and the request is not one of node's with a stream. */
export function isUntouched(req: Http2Request): boolean {
  return req[kReading] === Reading.Untouched && !req[kStream].endAfterHeaders && !Object.hasOwn(req, '_readableState');
}

/** The stream's `_read`: octets of the HTTP/2 stream flow while the reader wants more, which keeps its window open. */
export function readBody(this: Http2Request): void {
  const req = requestOf(this)!;
  if (req[kReading] === Reading.Flowing) req[kStream].resume();
  else startFlow(req);
}

export function startFlow(req: Http2Request): void {
  const { [kStream]: stream } = req;
  req[kReading] = Reading.Flowing;
  if (stream.endAfterHeaders) endBody(req);
  else listen(req, stream);
}

function listen(req: Http2Request, stream: Stream): void {
  stream.on('data', (chunk: Buffer) => {
    if (req[kReading] === Reading.Collecting) collect(req, chunk);
    else if (!req.destroyed && !req.push(chunk)) stream.pause();
  });
  stream.on('end', () => endUnlessReset(req));
  // A handler has paused the stream itself.
  if (stream.isPaused()) stream.resume();
  // An empty body whose end has come already: node's stream has ended without a reader, and says it no more.
  if (stream.readableEnded) nodesProcess.nextTick(endUnlessReset, req);
}

/** A stream that was reset or closed ends too, with less than was sent. */
function endUnlessReset(req: Http2Request): void {
  const { [kStream]: stream } = req;
  const { NGHTTP2_NO_ERROR } = http2.constants;
  if (isDropped(req) || (stream.rstCode === NGHTTP2_NO_ERROR && !stream.aborted && isWhole(stream))) endBody(req);
}

/** A body that is being collected, which takes its octets itself. */
class Collecting implements Collection, BodyReceiver {
  readonly pieces = new Pieces();
  isDirect = false;

  constructor(
    private readonly req: Http2Request,
    readonly collector: BodyCollector,
  ) {}

  receive(chunk: Buffer): void {
    collect(this.req, chunk);
  }

  end(): void {
    endUnlessReset(this.req);
  }
}

function collect(req: Http2Request, chunk: Buffer): void {
  const { pieces, collector } = req[kCollection]!;
  pieces.add(chunk);
  if (pieces.size > collector.limit) openStream(req);
}

function endBody(req: Http2Request): void {
  req.complete = true;
  const collection = req[kCollection];
  if (collection === null) {
    req.push(null);
    return;
  }
  req[kCollection] = null;
  req[kReading] = Reading.Collected;
  const { collector, pieces } = collection;
  collector.whole(pieces.list, pieces.size);
}

/** Trailers of a request come after its body, read or not. */
export function keepTrailers(stream: Stream): void {
  listenQuietly(stream, 'trailers', onTrailers);
}

function onTrailers(this: Stream, _fields: object, _flags: number, raw: string[] = []): void {
  const req = (this as Carrier)[kResponse][kRequest];
  (req[kTrailers] ??= []).push(...raw);
  const read = req[kReadTrailers];
  if (read) joinFields(req, raw, read);
}

/**
 * The stream is gone: the client has reset it, or the session has ended. Reported as `node:http` reports a connection
 * that closes while its answer is under way.
 */
export function abortRequest(req: Http2Request): void {
  if (req[kReading] === Reading.Collected || req.destroyed || req.readableEnded) return;
  req.destroy(abortedError());
}

/** The stream's `_destroy`, as that of `http.IncomingMessage`: after its end, after `req.destroy()`, or if the client is gone. */
export function destroyRequest(
  this: Http2Request,
  error: Error | null,
  callback: (error?: Error | null) => void,
): void {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
    abortSignal(this);
    const { [kStream]: stream } = this;
    // Without the stream there is no answer, and node takes the socket away for one.
    if (Object.hasOwn(this, 'socket') && !this.socket) stream.resume();
    else if (!this[kResponse].finished || !stream.writableFinished) resetStream(stream, error);
  }
  nodesProcess.nextTick(tellDestroyed, this, error, callback);
}

function tellDestroyed(req: Http2Request, error: Error | null, callback: (error?: Error | null) => void): void {
  callback(req.listenerCount('error') === 0 ? null : error);
}
