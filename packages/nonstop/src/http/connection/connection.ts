import { requestTimeoutError } from '../../core/errors.js';
import { UPGRADES_HAVE_BODIES } from '../../node/differences.js';
import { shutDown } from '../../node/sockets.js';
import type { HeadLimits } from '../../wire/limits.js';
import { Fact } from '../../wire/facts.js';
import { RequestParser, type RequestSink } from '../../wire/parser.js';
import { abort, refuse, tellTimeout } from './faults.js';
import { areResponsesObserved, areRequestsObserved, isStartObserved } from '../server/observers.js';
import { Clock, type Ticker } from './clock.js';
import { dispatch } from './dispatch.js';
import { Incoming } from './incoming.js';
import { Phase, Reading, type OuterRead } from './reading.js';
import { type EngineRequest, type EngineResponse, type NodeServer, Life, kLife, kRequest } from '../message.js';
import type { Outbox } from './outbox.js';
import { maxHeadersCount } from '../request/fields.js';
import { kCollector, type OwnRequest } from '../request/own-request.js';
import { RepeatedFields } from '../request/repeated-fields.js';
import {
  beginAsNodeRequest,
  closeStream,
  collectFurther,
  collectNoFurther,
  completeRequest,
  dumpUnread,
  receiveBody,
} from '../request/body.js';
import { tellDrained } from '../response/become-node.js';
import type { MessageClasses } from './message-classes.js';
import { listenTo, stopListening, type HttpSocket, type SocketOwner } from './socket-listeners.js';
import { Turns, type TurnsOwner } from './turns.js';
import { leaveHttp } from './upgrade.js';

/** Observers need node's constructors to make the messages; those of a domain must run in it. */
function beginObserved(turns: Turns, req: EngineRequest, res: EngineResponse): void {
  if (areRequestsObserved() && req[kLife] !== Life.Node) beginAsNodeRequest(req);
  if (!isStartObserved()) turns.add(res, true);
}

/** The members of the engine that a connection uses. */
export interface ConnectionEngine extends Ticker {
  /** Of messages with node's methods only. */
  readonly plain: MessageClasses;
  /** Of the messages of a request that comes now. */
  classes(): MessageClasses;
  readonly uniqueHeaders: unknown;
  /** The option `optimizeEmptyRequests`. */
  readonly optimizesEmpty: boolean;
  /** @param lines `maxHeadersCount`, as a number */
  headLimits(lines: number): HeadLimits;
  decideUpgrade(req: EngineRequest): boolean;
  remove(connection: Connection): void;
}

/** The place of a connection that is not in the list: it is closed, or has left HTTP. */
export const NOWHERE = -1;

/**
 * One connection of a server: it reads octets, emits requests, and sends the responses in order.
 *
 * The parser reads, the outbox writes. The responses are in between; each has its turn.
 */
export class Connection implements RequestSink, TurnsOwner, SocketOwner {
  readonly socket: HttpSocket;
  /** Its place in the engine's list, which the engine sets. */
  place = NOWHERE;

  readonly engine: ConnectionEngine;
  readonly clock: Clock;
  private readonly parser: RequestParser;
  readonly outbox: Outbox;
  readonly turns: Turns;
  readonly maxHeadersCount: number;

  readonly reading = new Reading();
  readonly incoming = new Incoming();
  private lastFields: RepeatedFields | null = null;
  private requestCount = 0;
  private pendingOctets = 0;

  /** @param wasNodes node's own HTTP has served it so far */
  constructor(engine: ConnectionEngine, socket: HttpSocket, wasNodes: boolean) {
    this.engine = engine;
    this.socket = socket;
    this.clock = new Clock(engine, socket);
    this.maxHeadersCount = maxHeadersCount(this.server);
    this.parser = new RequestParser(this, engine.headLimits(this.maxHeadersCount));
    this.turns = new Turns(this);
    this.outbox = this.turns.outbox;
    if (this.server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(this.server.timeout);
    listenTo(socket, this, wasNodes);
    // For streams from `server.emit('connection', stream)`; net has set it on its own sockets.
    socket.server = this.server;
  }

  /** Whether no request is being received, and each that was received is answered. Answers may not be sent yet. */
  get isIdle(): boolean {
    const { turns, incoming, reading, parser, socket } = this;
    // After `socket.end()` the responses behind the current one cannot be sent any more: nobody waits for them.
    const areEnded = socket.writable ? turns.areEnded : turns.current?.finished !== false;
    // While ticks run before a message's end, `incoming` waits for the next head already.
    const isBetween = incoming.isHead && !reading.isTickingInMessage && !parser.isInMessage;
    return areEnded && isBetween && this.clock.isIdle;
  }

  get server(): NodeServer {
    return this.engine.server;
  }

  /** Made when a program reads `headers`. */
  get repeatedFields(): RepeatedFields {
    return (this.lastFields ??= new RepeatedFields());
  }

  repeats(lines: string): boolean {
    return this.parser.repeated === lines;
  }

  /** The connection has carried messages before, and is idle from now on. */
  beginIdle(): void {
    this.reading.forgetContext();
    this.clock.messageCame();
    this.clock.fallIdle();
  }

  countRequest(): number {
    return ++this.requestCount;
  }

  /**
   * Closes the connection if it is idle. node destroys it even if the kernel has not taken all of an answer yet; here what was
   * answered is sent before.
   */
  closeIfIdle(): void {
    if (!this.isIdle) return;
    const { last, areWritten } = this.turns;
    if (last === null || (areWritten && this.socket.writableLength === 0)) this.socket.destroy();
    else if (this.socket.writable) last._last = true;
    // The answers that wait cannot be sent any more.
    else this.lastSent(false);
  }

  /** Removes the listeners and leaves the socket as if it had never carried HTTP. */
  release(): void {
    stopListening(this.socket);
    this.turns.leave();
    this.engine.remove(this);
  }

  // --- reading ---------------------------------------------------------------------------------------------------

  receive(chunk: Buffer, lent: boolean, atOnce: boolean): number {
    const more = this.read(chunk, lent, atOnce);
    this.reading.rethrow();
    return more;
  }

  private read(chunk: Buffer, lent: boolean, atOnce: boolean): number {
    const { reading, incoming, parser } = this;
    // Until a head is complete, the timeout counts from the last octet, as on node's socket.
    this.clock.octetsCame();
    const outer = reading.begin(atOnce);
    try {
      parser.feed(chunk, lent);
    } catch (error) {
      if (parser.isRefused(error)) this.endRefused(error as Error, outer);
      else this.endThrown(error, outer);
      return 0;
    }
    // The rest of this body comes in another read.
    if (incoming.isBody) reading.callInContext(collectFurther, incoming.request!, parser);
    // Under node, ticks run after the last piece and before the listener of an upgrade is called.
    if (incoming.leaves && reading.owesTicks) this.giveTicks();
    reading.end(outer);
    if (reading.isOver) this.turns.release();
    if (incoming.leaves) {
      reading.callForUpgrade(leaveHttp, this, parser.takeUnread());
      return 0;
    }
    if (parser.isInMessage) {
      this.clock.messageIsDue();
      return parser.remaining === 0 ? Infinity : parser.memory?.isOpen ? 0 : parser.remaining;
    }
    // Empty lines are not a message: a connection with only empty lines counts as silent.
    if (this.turns.current === null && this.clock.isNothingDue) this.clock.fallIdle();
    return 0;
  }

  /** A handler threw in the middle of the octets. @throws its error */
  private endThrown(error: unknown, outer: OuterRead | null): never {
    const { reading, incoming } = this;
    if (incoming.isBody) reading.callInContext(collectNoFurther, incoming.request!);
    reading.end(outer);
    // A response that has ended is finished in a tick, as under node, where no ticks run before a read that comes in the same turn of the event loop. If
    // that is refused, no error response is written behind it.
    if (reading.isOver) this.turns.release(true);
    // Under node the parser has not got to the message's end, so that its deadlines go on.
    this.clock.messageIsDue();
    reading.rethrowLater();
    throw error;
  }

  /** The parser has refused the octets: listeners for `'clientError'` get the error, or the client an error response. */
  private endRefused(error: Error, outer: OuterRead | null): void {
    const { reading, incoming, parser, socket, turns } = this;
    const owesTicks = reading.owesTicks && incoming.isBody;
    // The first lines of a long head came in a call of their own under node.
    if (parser.isHeadLong) this.giveTicks();
    if (incoming.isBody) reading.callInContext(collectNoFurther, incoming.request!);
    reading.end(outer);
    // A response that has ended still has its turn under node until the next ticks: no error response is written behind it.
    const { _httpMessage: answering } = socket;
    turns.release(true);
    // What a handler has written before the fault is sent before the error response.
    if (owesTicks) this.giveTicks();
    if (parser.isInMessage || !incoming.isHead) this.clock.messageIsDue();
    reading.callInContext(refuse, this, error, owesTicks ? socket._httpMessage : answering);
  }

  onHead(parser: RequestParser): boolean {
    const { engine, socket } = this;
    if (parser.facts & Fact.ManyLines) this.reading.headsAreApart = true;
    // Under node the lines of this head came in an earlier call, and ticks ran after it.
    if (this.reading.headsAreApart) this.giveTicks();
    this.clock.headCame();
    // Listeners for 'upgrade' and 'connect' are never the application.
    const classes = parser.upgrade ? engine.plain : engine.classes();
    const req = new classes.Request(this, parser);
    if (this.server.joinDuplicateHeaders) Object.assign(req, { joinDuplicateHeaders: true });
    if (parser.upgrade && this.isUpgrade(req)) {
      if (!(UPGRADES_HAVE_BODIES && parser.announcesBody)) this.reading.callInContext(completeRequest, req, []);
      this.incoming.upgradeFollows(req);
      return req.complete;
    }
    this.incoming.bodyFollows(req);
    if (engine.optimizesEmpty && !(parser.facts & (Fact.ContentLength | Fact.TransferEncoding))) closeStream(req);
    if (!socket._paused && (socket.writableNeedDrain || this.pendingOctets >= socket.writableHighWaterMark)) {
      // Stop reading pipelined requests when their responses are not taken (as node does).
      socket._paused = true;
      socket.pause();
    }
    const observed = areResponsesObserved();
    const res = new classes.Response(req, parser.persistent);
    if (observed) this.reading.callInContext(beginObserved, this.turns, req, res);
    else if (!isStartObserved()) this.turns.add(res, false);
    if (this.reading.mustEnterContext(parser.nextMayFollow))
      this.reading.enterContext(dispatch, this, req, res, parser.facts);
    else dispatch(this, req, res, parser.facts);
    return this.place === NOWHERE;
  }

  /** Whether the connection leaves HTTP with this request. */
  private isUpgrade(req: EngineRequest): boolean {
    if (areRequestsObserved()) this.reading.callInContext(beginAsNodeRequest, req);
    return this.engine.decideUpgrade(req);
  }

  onBody(data: Buffer | string): void {
    const { request } = this.incoming;
    if (request === null) return;
    const { reading } = this;
    // The ticks that run under node after the piece before this one.
    if (reading.owesTicks) this.parser.holdBack(() => this.giveTicks());
    reading.pieceCame();
    const wantsMore = reading.isInContext
      ? receiveBody(request, data)
      : reading.enterContext(receiveBody, request, data);
    // It is complete if a listener for 'data' has caused the read of the rest.
    if (!wantsMore && !request.complete) this.socket.pause();
  }

  onMessageEnd(trailers: string[]): void {
    const { incoming, reading } = this;
    const { request } = incoming;
    this.clock.messageCame();
    if (incoming.leaves) {
      if (reading.owesTicks) this.giveTicks();
      reading.callInContext(completeRequest, request!, trailers);
      this.parser.stop();
    } else if (incoming.isBody) {
      // Before the ticks: a read that they cause may bring the next head.
      incoming.headFollows();
      if (this.parser.nextMayFollow) reading.callInContext(collectNoFurther, request!);
      // Ticks after the last piece: a handler that awaits a promise before it listens still gets `'end'`, and a response is sent before the next request.
      // Not if a body parser has collected the body: the handlers behind the parser have not run.
      if (reading.owesTicks && (request as OwnRequest)[kCollector] === null) this.giveTicks();
      if (trailers.length !== 0) {
        reading.headsAreApart = true;
        this.giveTicks(Phase.TickingBehind);
      }
      reading.callInContext(completeRequest, request!, trailers);
    }
    if (this.socket.readableFlowing === false) this.readOn();
  }

  /** Runs the ticks in the middle of a read. A response that a handler has ended is finished before, as at the end of a read. */
  private giveTicks(ticking: Phase.Ticking | Phase.TickingBehind = Phase.Ticking): void {
    if (this.reading.isAtOnce) return;
    this.turns.release();
    this.reading.runTicks(ticking);
  }

  /** Resumes a paused socket (node: `readStart`): a handler may not hold up the next message. */
  private readOn(): void {
    if (!this.socket._paused) this.socket.resume();
  }

  countPending(delta: number): void {
    this.pendingOctets += delta;
    // As under node, 'drain' is checked here too: the response whose turn it is may have lost its socket.
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

  responseSent({ [kRequest]: req }: EngineResponse, heard: boolean): void {
    dumpUnread(req, heard);
    // If its stream is in use, the stream decides whether to read on.
    const arrives = this.incoming.isBody && req === this.incoming.request;
    if (arrives && req[kLife] === Life.Lean && this.socket.readableFlowing === false) this.readOn();
  }

  allSent(): void {
    this.clock.fallIdle();
  }

  lastSent(quiet: boolean): void {
    const { socket } = this;
    if (quiet && this.reading.isOver && !this.parser.isInMessage && shutDown(socket)) return;
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  }

  // --- deadlines and faults --------------------------------------------------------------------------------------

  /** @param headersTimeout ms; 0 for none; `requestTimeout` the same */
  checkDeadlines(now: number, headersTimeout: number, requestTimeout: number): void {
    const limit = this.incoming.isHead ? headersTimeout || requestTimeout : requestTimeout;
    // The timer has the context of the connection that started it.
    if (this.clock.isLate(now, limit)) this.reading.enterContext(() => this.fail(requestTimeoutError()));
  }

  timedOut(): void {
    this.clock.told();
    tellTimeout(this, this.incoming.request);
  }

  fail(error: Error): void {
    refuse(this, error, this.socket._httpMessage);
  }

  peerEnded(): void {
    try {
      this.parser.finish();
    } catch (error) {
      return this.reading.callForEnd(() => this.fail(error as Error));
    }
    const { last } = this.turns;
    if (this.server.httpAllowHalfOpen && last !== null) last._last = true;
    else this.socket.end();
  }

  closed(): void {
    this.engine.remove(this);
    abort(this, this.turns.current, this.turns.lose());
  }

  sentAway(): void {
    this.parser.stop();
    this.engine.remove(this);
  }

  drained(): void {
    const { socket } = this;
    if (socket._paused && this.pendingOctets <= socket.writableHighWaterMark) {
      socket._paused = false;
      socket.resume();
    }
    if (socket._httpMessage) tellDrained(socket._httpMessage);
  }
}
