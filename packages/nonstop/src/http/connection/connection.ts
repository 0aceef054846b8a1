import type { AsyncResource } from 'node:async_hooks';
import { captureContext, runTicks, throwInTick, type Thrown } from '../../node/callback-scope.js';
import { WireError, requestTimeoutError } from '../../core/errors.js';
import { UPGRADES_HAVE_BODIES } from '../../node/differences.js';
import { shutDown } from '../../node/sockets.js';
import type { HeadLimits } from '../../wire/limits.js';
import { Fact } from '../../wire/framing.js';
import { RequestParser, type RequestSink } from '../../wire/parser.js';
import { abort, refuse, tellTimeout } from './faults.js';
import { anybodyHearsAll } from '../server/observers.js';
import { areDomainsUsed } from '../../node/nodes-observers.js';
import { Clock, type Ticker } from './clock.js';
import { dispatch } from './dispatch.js';
import { type EngineRequest, type EngineResponse, type FieldsRead, type NodeServer, Life, kLife } from '../message.js';
import type { Outbox } from './outbox.js';
import { kCollector, type OwnRequest } from '../request/own-request.js';
import { becomeNodeRequest, closeStream, completeRequest, dumpUnread, receiveBody } from '../request/body.js';
import { tellDrained } from '../response/become-node.js';
import type { requestClass } from '../request/class.js';
import type { responseClass } from '../response/class.js';
import { listenTo, stopListening, type HttpSocket, type SocketOwner } from './socket-listeners.js';
import { Turns, type TurnsOwner } from './turns.js';
import { UpgradeStream, tellUpgrade } from './upgrade.js';

/** The members of the engine that a connection uses. */
export interface ConnectionEngine extends Ticker {
  readonly Request: ReturnType<typeof requestClass>;
  readonly Response: ReturnType<typeof responseClass>;
  readonly uniqueHeaders: unknown;
  /** The option `optimizeEmptyRequests`. */
  readonly optimizesEmpty: boolean;
  headLimits(): HeadLimits;
  mayUpgrade(req: EngineRequest): boolean;
  remove(connection: Connection): void;
}

/** The part of a message that the parser reads next. */
const enum Arriving {
  /** A head, or empty lines before one. */
  Head,
  /** The body of a request that handlers have. */
  Body,
  /** The body, if any, of a request after which the connection leaves HTTP. */
  Upgrade,
}

/** The place of a connection that is not in the list. */
export const NOWHERE = -1;

const NO_OCTETS = Buffer.alloc(0);

/**
 * One connection of a server: it reads octets, emits requests, and sends the responses in order.
 *
 * The parser reads, the outbox writes. The responses are in between; each has its turn.
 */
export class Connection implements RequestSink, TurnsOwner, SocketOwner {
  readonly server: NodeServer;
  readonly socket: HttpSocket;
  private reading = false;
  /** Its place in the engine's list. */
  place = NOWHERE;

  private readonly engine: ConnectionEngine;
  readonly clock: Clock;
  private readonly parser: RequestParser;
  readonly outbox: Outbox;
  readonly highWaterMark: number;
  readonly uniqueHeaders: unknown;
  private readonly turns: Turns;

  private arriving = Arriving.Head;
  /** The request that {@link Arriving} is about; null for a head. */
  private request: EngineRequest | null = null;
  /** The socket is paused because the reader of the body has enough. */
  private bodyPaused = false;
  /** A piece of a body came with this read, and no ticks have run since. */
  private ticksOwed = false;
  /** The process has its ticks in the middle of this read. */
  private ticking = false;
  /** A message of this connection had trailers. */
  private hadTrailers = false;
  /** The socket has emitted `'close'`. */
  private over = false;
  /** The stream that the listener got while the body of the last HTTP request is still arriving. */
  private upgraded: UpgradeStream | null = null;

  private requestCount = 0;
  private pendingOctets = 0;
  private fieldsCache: FieldsRead | null = null;
  /** The async context in which handlers of requests of one read start. */
  private context: AsyncResource | null = null;
  /** The error of a tick in the middle of this read; it is thrown again when the read is handled. */
  private thrown: Thrown | null = null;

  constructor(engine: ConnectionEngine, socket: HttpSocket) {
    this.engine = engine;
    this.server = engine.server;
    this.socket = socket;
    this.clock = new Clock(engine, socket);
    this.parser = new RequestParser(this, engine.headLimits());
    this.turns = new Turns(this);
    this.outbox = this.turns.outbox;
    this.highWaterMark = socket.writableHighWaterMark;
    this.uniqueHeaders = engine.uniqueHeaders;
    if (this.server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(this.server.timeout);
    listenTo(socket, this);
    // For streams from `server.emit('connection', stream)`; net has set it on its own sockets.
    socket.server = this.server;
  }

  /** Whether no request is being received or answered. */
  get idle(): boolean {
    return this.turns.current === null && !this.parser.busy && this.clock.isIdle;
  }

  get handling(): boolean {
    return this.reading && !this.ticking;
  }

  get fieldsRead(): FieldsRead {
    return (this.fieldsCache ??= { lines: '', fields: null });
  }

  repeats(lines: string): boolean {
    return this.parser.known === lines;
  }

  /** The connection has carried messages before, and is idle from now on. */
  beginIdle(): void {
    this.clock.messageCame();
    this.clock.fallIdle();
  }

  countRequest(): number {
    return ++this.requestCount;
  }

  /** Called by the engine with the connection's place in its list. */
  moveTo(place: number): void {
    this.place = place;
  }

  /** Removes the listeners and leaves the socket as if it had never carried HTTP. */
  release(): void {
    stopListening(this.socket);
    this.turns.leave();
    this.engine.remove(this);
  }

  // --- reading ---------------------------------------------------------------------------------------------------

  receive(chunk: Buffer, lent: boolean): boolean {
    const more = this.read(chunk, lent);
    const { thrown } = this;
    if (thrown === null) return more;
    this.thrown = null;
    throw thrown.error;
  }

  private read(chunk: Buffer, lent: boolean): boolean {
    // Until a head is complete, the timeout counts from the last octet, as on node's socket.
    this.clock.octetsCame();
    this.reading = true;
    this.ticksOwed = false;
    try {
      this.parser.feed(chunk, lent);
    } catch (error) {
      this.reading = false;
      // Before its ticks: a response that has just ended still has its turn under node, and no refusal is written behind it.
      const answering = this.turns.current;
      this.turns.release(error instanceof WireError);
      if (!(error instanceof WireError)) {
        if (this.thrown !== null) throwInTick(this.thrown.error);
        this.thrown = null;
        throw error;
      }
      // Response parts written before the fault are sent before its error response.
      const ticks = this.ticksOwed && this.arriving === Arriving.Body;
      if (ticks) this.giveTicks();
      if (this.parser.busy || this.arriving !== Arriving.Head) this.clock.messageIsDue();
      // As under node, a fault in the body of an upgrade request is not reported; the request never completes.
      if (this.arriving !== Arriving.Upgrade) {
        refuse(this, error, ticks ? this.turns.current : answering);
        return false;
      }
    }
    this.context = null;
    this.reading = false;
    this.turns.release();
    if (this.arriving === Arriving.Upgrade) {
      this.leaveHttp(this.request!);
      return false;
    }
    if (this.parser.busy) {
      this.clock.messageIsDue();
      return true;
    }
    // Empty lines are not a message: a connection with only empty lines counts as silent.
    if (this.turns.current === null && this.clock.isNothingDue) this.clock.fallIdle();
    return false;
  }

  /** The upgrade listener gets the socket, or a stream in front of it while the request's body is still arriving. */
  private leaveHttp(req: EngineRequest): void {
    const { server, socket, upgraded } = this;
    if (!req.complete) {
      this.clock.messageIsDue();
      if (upgraded !== null) return;
      this.upgraded = new UpgradeStream(socket, req);
      tellUpgrade(server, req, this.upgraded, NO_OCTETS);
      return;
    }
    this.expect(Arriving.Head, null);
    this.release();
    socket.parser = null;
    if (upgraded !== null) upgraded.begin(this.parser.rest);
    else tellUpgrade(server, req, socket, this.parser.rest);
  }

  private expect(arriving: Arriving, request: EngineRequest | null): void {
    this.arriving = arriving;
    this.request = request;
  }

  onHead(parser: RequestParser): boolean {
    const { engine, socket } = this;
    // After the first trailers, node's parser passes on each head in a separate call before its message.
    if (this.hadTrailers) this.giveTicks();
    this.clock.headCame();
    const req = new engine.Request(this, parser);
    if (this.server.joinDuplicateHeaders) Object.assign(req, { joinDuplicateHeaders: true });
    if (parser.upgrade && engine.mayUpgrade(req)) {
      req.upgrade = true;
      req.complete = !(UPGRADES_HAVE_BODIES && parser.announcesBody);
      this.expect(Arriving.Upgrade, req);
      return req.complete;
    }
    this.expect(Arriving.Body, req);
    if (engine.optimizesEmpty && !(parser.facts & (Fact.ContentLength | Fact.TransferEncoding))) closeStream(req);
    if (!socket._paused && (socket.writableNeedDrain || this.pendingOctets >= socket.writableHighWaterMark)) {
      // Stop reading pipelined requests when their responses are not taken (as node does).
      socket._paused = true;
      socket.pause();
    }
    const watched = anybodyHearsAll();
    if (watched && areDomainsUsed()) becomeNodeRequest(req as OwnRequest);
    const res = new engine.Response(req, parser.persistent);
    this.turns.add(res, watched);
    if (parser.more) this.context ??= captureContext();
    if (this.context === null) dispatch(this, req, res, parser.facts);
    else this.context.runInAsyncScope(dispatch, undefined, this, req, res, parser.facts);
    return this.over;
  }

  onBody(data: Buffer): void {
    const req = this.request;
    if (req === null) return;
    // As with node's parser, ticks run after each piece of a body; if nothing follows in this read they run anyway.
    if (this.ticksOwed) this.giveTicks();
    this.ticksOwed = true;
    if (receiveBody(req, data)) return;
    this.bodyPaused = true;
    this.socket.pause();
  }

  onMessageEnd(trailers: string[]): void {
    const { arriving, request } = this;
    this.clock.messageCame();
    if (arriving === Arriving.Upgrade) {
      completeRequest(request!, trailers);
      this.parser.stop();
    } else if (arriving === Arriving.Body) {
      this.expect(Arriving.Head, null);
      // Ticks run between a body and the end of its message, and again before trailers: a handler that awaits a promise
      // before it listens still gets `'end'`, and a response is sent before the next request. Handlers behind a parser
      // wait for the parser.
      if (trailers.length !== 0) this.hadTrailers = true;
      const parsed = (request as OwnRequest)[kCollector] !== null;
      if (trailers.length !== 0 || (this.ticksOwed && (this.parser.more || !parsed))) this.giveTicks();
      completeRequest(request!, trailers);
    }
    if (this.bodyPaused || this.socket.readableFlowing === false) this.readOn();
  }

  private giveTicks(): void {
    this.ticksOwed = false;
    this.turns.release();
    this.ticking = true;
    const thrown = runTicks();
    this.ticking = false;
    if (thrown !== null && this.thrown !== null) throwInTick(thrown.error);
    else this.thrown ??= thrown;
  }

  /** Resumes a paused socket (node: `readStart`): a handler may not hold up the next message. */
  private readOn(): void {
    this.bodyPaused = false;
    if (!this.socket._paused) this.socket.resume();
  }

  countPending(delta: number): void {
    this.pendingOctets += delta;
    // As under node whoever waits for 'drain' is asked then, too: the response whose turn it is may have lost its socket.
    this.drained();
  }

  // --- answering -------------------------------------------------------------------------------------------------

  answer(res: EngineResponse, text: string, utf8: boolean, body: Uint8Array | null): boolean {
    return this.turns.answer(res, text, utf8, body);
  }

  mayWrite(res: EngineResponse): boolean {
    return this.turns.hasTurn(res) && this.socket.writable;
  }

  finishLater(res: EngineResponse): void {
    this.turns.finishLater(res);
  }

  touched(req: EngineRequest): void {
    this.turns.touched(req);
  }

  finished(res: EngineResponse): void {
    this.turns.finished(res);
  }

  settle({ req }: EngineResponse, heard: boolean): void {
    dumpUnread(req, heard);
    // If its stream is in use, the stream decides whether to read on.
    const arrives = this.arriving === Arriving.Body && req === this.request;
    if (arrives && req[kLife] === Life.Lean && this.socket.readableFlowing === false) this.readOn();
  }

  allSent(): void {
    this.clock.fallIdle();
  }

  lastSent(quiet: boolean): void {
    const { socket } = this;
    if (quiet && !this.reading && !this.parser.busy && shutDown(socket)) return;
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  }

  // --- deadlines and faults --------------------------------------------------------------------------------------

  /** @param headersTimeout ms; 0 for none; `requestTimeout` the same */
  checkDeadlines(now: number, headersTimeout: number, requestTimeout: number): void {
    const limit = this.arriving === Arriving.Head ? headersTimeout || requestTimeout : requestTimeout;
    if (this.clock.isLate(now, limit)) this.fail(requestTimeoutError());
  }

  timedOut(): void {
    tellTimeout(this, this.request, this.turns.current);
  }

  fail(error: Error): void {
    refuse(this, error, this.turns.current);
  }

  peerEnded(): void {
    const { socket, server } = this;
    try {
      this.parser.finish();
    } catch (error) {
      if (this.arriving !== Arriving.Upgrade) return this.fail(error as Error);
    }
    const { last } = this.turns;
    if (server.httpAllowHalfOpen && last !== null) last._last = true;
    else socket.end();
  }

  closed(): void {
    this.engine.remove(this);
    this.over = true;
    abort(this.turns.current, this.turns.lose());
  }

  drained(): void {
    const { socket } = this;
    if (socket._paused && this.pendingOctets <= socket.writableHighWaterMark) {
      socket._paused = false;
      socket.resume();
    }
    if (this.turns.current !== null) tellDrained(this.turns.current);
  }
}
