import type { AsyncResource } from 'node:async_hooks';
import { captureContext } from '../../node/async-context.js';
import { monotonicNow } from '../../core/clock.js';
import { runTicks, throwInTick, type Thrown } from '../../node/tick-queue.js';
import { WireError, requestTimeoutError } from '../../core/errors.js';
import { SILENT_CONNECTIONS_ARE_IDLE, UPGRADES_HAVE_BODIES } from '../../node/differences.js';
import { Fact } from '../../wire/framing.js';
import { RequestParser, type RequestSink } from '../../wire/parser.js';
import { abort } from './abort.js';
import { anybodyHearsAll, areDomainsUsed } from '../server/observers.js';
import { dispatch } from './dispatch.js';
import type { Engine } from '../server/engine.js';
import { refuse, tellTimeout } from './faults.js';
import { fallIdle, noteMessageStart, unparkTimeout } from './idle.js';
import type { EngineRequest, EngineResponse, FieldsRead, NodeServer } from '../message-types.js';
import type { Outbox } from './outbox.js';
import type { OwnRequest } from '../request/own-request.js';
import { becomeNodeRequest, closeStream, completeRequest, dumpUnread, receiveBody } from '../request/body.js';
import { tellDrained } from '../response/become-node.js';
import { listenTo, stopListening, type HttpSocket, type SocketOwner } from './socket-listeners.js';
import { Life, kLife } from '../message-life.js';
import { Turns, type TurnsOwner } from './turns.js';
import type { UpgradeStream } from './upgrade-stream.js';
import { handOver } from './upgrade.js';

/**
 * One connection of a server: octets in, requests out to the handlers, answers back in order.
 *
 * Reading is the parser's, writing is the outbox's. In between stand the responses, each of which has its turn.
 */
export class Connection implements RequestSink, TurnsOwner, SocketOwner {
  readonly server: NodeServer;
  readonly socket: HttpSocket;
  readonly engine: Engine;
  /** When the message that is arriving began; before the first one, when the connection opened ({@link monotonicNow}); 0 between messages. */
  messageStart: number;
  /** Tick of the engine at which the connection fell idle; -1 while it is not. */
  idleSince = -1;
  requestsCount = 0;
  reading = false;
  /** What a tick in the middle of this read has thrown: it is thrown when the read has been handled. */
  private thrown: Thrown | null = null;
  fieldsRead: FieldsRead | null = null;
  /** See {@link parkTimeout}. */
  timeoutParked = false;
  /** {@link messageStart} is that of a message and not of the connection. */
  begun = false;

  /** Its place in the engine's list. */
  place = -1;

  private readonly parser: RequestParser;
  readonly outbox: Outbox;
  readonly highWaterMark: number;
  readonly uniqueHeaders: unknown;
  private readonly turns: Turns;
  /** The request whose body is arriving. */
  private receiving: EngineRequest | null = null;
  private upgrading: EngineRequest | null = null;
  /** What its listener was given while the body of the request that leaves HTTP is still arriving. */
  upgraded: UpgradeStream | null = null;
  private pendingOctets = 0;
  private bodyPaused = false;
  /** Somebody may be reading the body of `receiving`. */
  private bodyInHand = false;
  /** A piece of a body came with this read, and the process has not had its ticks since. */
  private ticksOwed = false;
  /** The socket said that it is closed. */
  private over = false;
  /** Where the handlers of requests that arrived together start from. */
  private context: AsyncResource | null = null;

  constructor(engine: Engine, socket: HttpSocket) {
    this.engine = engine;
    this.server = engine.server;
    this.socket = socket;
    this.messageStart = monotonicNow();
    this.parser = new RequestParser(this, engine.headLimits());
    this.turns = new Turns(this);
    this.outbox = this.turns.outbox;
    this.highWaterMark = socket.writableHighWaterMark;
    this.uniqueHeaders = engine.uniqueHeaders;
    if (this.server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(this.server.timeout);
    listenTo(socket, this);
    // For streams handed in by `server.emit('connection', stream)`; net has set it on its own sockets.
    socket.server = this.server;
  }

  /** No request is being answered or received. */
  get idle(): boolean {
    if (this.turns.current !== null || this.parser.busy) return false;
    return this.messageStart === 0 || (SILENT_CONNECTIONS_ARE_IDLE && !this.begun);
  }

  /** Some of a head has arrived, not all. */
  get awaitsHead(): boolean {
    return this.receiving === null && this.upgrading === null;
  }

  /** Takes the listeners back and leaves the socket as if it had never carried HTTP. */
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
    // Until a head is complete it is the time between octets that counts, as on a socket of node's.
    if (this.idleSince !== -1) this.idleSince = this.engine.tick;
    this.reading = true;
    this.ticksOwed = false;
    try {
      this.parser.feed(chunk, lent);
    } catch (error) {
      this.reading = false;
      this.turns.release();
      if (!(error instanceof WireError)) {
        if (this.thrown !== null) throwInTick(this.thrown.error);
        this.thrown = null;
        throw error;
      }
      // What was written of the body in front of the fault is sent in front of its refusal.
      if (this.ticksOwed && this.receiving !== null) this.giveTicks();
      if (this.parser.busy || !this.awaitsHead) noteMessageStart(this);
      // A fault in the body of an upgrade is nobody's to hear, as under node: the request does not get complete.
      if (this.upgrading === null) {
        this.fail(error);
        return false;
      }
    }
    this.context = null;
    this.reading = false;
    this.turns.release();
    if (this.upgrading !== null) {
      const req = this.upgrading;
      if (req.complete) this.upgrading = null;
      else noteMessageStart(this);
      handOver(this, req, this.parser.rest);
      return false;
    }
    if (this.parser.busy) {
      noteMessageStart(this);
      return true;
    }
    // Empty lines alone are no message: a connection that sent nothing else is as good as silent.
    if (this.turns.current === null && this.messageStart === 0) fallIdle(this);
    return false;
  }

  onHead(parser: RequestParser): boolean {
    const { engine, socket } = this;
    this.idleSince = -1;
    if (this.timeoutParked) unparkTimeout(this);
    const req = new engine.Request(this, parser);
    if (this.server.joinDuplicateHeaders) Object.assign(req, { joinDuplicateHeaders: true });
    if (parser.upgrade && engine.mayUpgrade(req)) {
      req.upgrade = true;
      req.complete = !(UPGRADES_HAVE_BODIES && parser.announcesBody);
      this.upgrading = req;
      return req.complete;
    }
    this.receiving = req;
    this.bodyInHand = false;
    if (engine.optimizesEmpty && !(parser.facts & (Fact.ContentLength | Fact.TransferEncoding))) closeStream(req);
    if (!socket._paused && (socket.writableNeedDrain || this.pendingOctets >= socket.writableHighWaterMark)) {
      // A flood of pipelined requests whose answers nobody takes must not be read on (node does the same).
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
    const req = this.receiving ?? this.upgrading;
    if (req === null) return;
    // As node's parser: behind each piece of a body, but where nothing follows in this read they come by themselves.
    if (this.ticksOwed) this.giveTicks();
    this.ticksOwed = true;
    this.bodyInHand ||= req[kLife] === Life.Node;
    if (receiveBody(req, data)) return;
    this.bodyPaused = true;
    this.socket.pause();
  }

  onMessageEnd(trailers: string[]): void {
    const req = this.receiving;
    this.receiving = null;
    this.messageStart = 0;
    if (req !== null) {
      // Between a body and the end of its message there are ticks, and again where it has trailers: who waits for a promise before it
      // listens hears `'end'`, and what was answered is sent before the next request.
      if (trailers.length !== 0 || (this.ticksOwed && (this.bodyInHand || this.parser.more))) this.giveTicks();
      completeRequest(req, trailers);
    } else if (this.upgrading !== null) {
      completeRequest(this.upgrading, trailers);
      this.parser.stop();
    }
    if (this.bodyPaused || this.socket.readableFlowing === false) this.readOn();
  }

  private giveTicks(): void {
    this.ticksOwed = false;
    this.turns.release();
    const thrown = runTicks();
    if (thrown !== null && this.thrown !== null) throwInTick(thrown.error);
    else this.thrown ??= thrown;
  }

  /** Whoever has paused the socket (node: `readStart`): the next message is not for its handler to hold up. */
  private readOn(): void {
    this.bodyPaused = false;
    if (!this.socket._paused) this.socket.resume();
  }

  countPending(delta: number): void {
    this.pendingOctets += delta;
    this.resumeReading();
  }

  private resumeReading(): void {
    const socket = this.socket;
    if (!socket._paused || this.pendingOctets > socket.writableHighWaterMark) return;
    socket._paused = false;
    socket.resume();
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

  finished(res: EngineResponse): void {
    this.turns.finished(res);
  }

  settle({ req }: EngineResponse): void {
    dumpUnread(req);
    // Whoever has begun to read it may go on, or hold up what is behind it.
    if (req === this.receiving && req._dumped && this.socket.readableFlowing === false) this.readOn();
  }

  allSent(): void {
    fallIdle(this);
  }

  lastSent(quiet: boolean): void {
    this.outbox.close(quiet && !this.reading && !this.parser.busy);
  }

  // --- deadlines and faults --------------------------------------------------------------------------------------

  /** The head or the body did not arrive in time. */
  expire(): void {
    this.fail(requestTimeoutError());
  }

  timedOut(): void {
    tellTimeout(this, this.receiving ?? this.upgrading, this.turns.current);
  }

  fail(error: Error): void {
    refuse(this, error, this.turns.current);
  }

  peerEnded(): void {
    const { socket, server } = this;
    try {
      this.parser.finish();
    } catch (error) {
      if (this.upgrading === null) {
        this.fail(error as Error);
        return;
      }
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
    this.resumeReading();
    if (this.turns.current !== null) tellDrained(this.turns.current);
  }
}
