import type { AsyncResource } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { captureContext } from '../core/async-context.js';
import { monotonicNow } from '../core/clock.js';
import { WireError, requestTimeoutError } from '../core/errors.js';
import { SILENT_CONNECTIONS_ARE_IDLE, UPGRADES_HAVE_BODIES } from '../core/node-differences.js';
import { Fact } from '../wire/framing.js';
import { RequestParser, type RequestSink } from '../wire/parser.js';
import { abort, closeResponse, keepSocket } from './abort.js';
import { dispatch } from './dispatch.js';
import type { Engine } from './engine.js';
import { refuse, tellTimeout } from './faults.js';
import { fallIdle, noteMessageStart, unparkTimeout } from './idle.js';
import { MessageEnds } from './message-ends.js';
import { closeStream, completeRequest, dumpUnread, receiveBody } from './request-body.js';
import { kPending } from './messages.js';
import type { EngineRequest, EngineResponse, FieldsRead, MessageHost, NodeServer } from './messages.js';
import { Outbox, isListenedTo, octetsOf } from './outbox.js';
import { assignUnheard, becomeNode, nodeResponse, tellDrained } from './response-node.js';
import { anybodyHearsAll, responseFinished } from './channels.js';
import { listenTo, stopListening, type HttpSocket, type SocketOwner } from './socket-listeners.js';
import { Life, kLife } from './symbols.js';
import type { UpgradeStream } from './upgrade-stream.js';
import { handOver } from './upgrade.js';

/**
 * One connection of a server: octets in, requests out to the handlers, answers back in order.
 *
 * Reading is the parser's, writing is the outbox's. In between stands a queue of responses: `current` is the one whose turn
 * it is, `waiting` holds those of pipelined requests behind it (RFC 9112 §9.3.2).
 */
export class Connection implements RequestSink, MessageHost, SocketOwner {
  readonly server: NodeServer;
  readonly socket: HttpSocket;
  readonly engine: Engine;
  /** When the message that is arriving began; before the first one, when the connection opened ({@link monotonicNow}); 0 between messages. */
  messageStart: number;
  /** Tick of the engine at which the connection fell idle; -1 while it is not. */
  idleSince = -1;
  requestsCount = 0;
  fieldsRead: FieldsRead | null = null;
  /** See {@link parkTimeout}. */
  timeoutParked = false;
  /** {@link messageStart} is that of a message and not of the connection. */
  begun = false;

  /** Its place in the engine's list. */
  place = -1;

  private readonly parser: RequestParser;
  readonly outbox: Outbox;
  private current: EngineResponse | null = null;
  private waiting: EngineResponse[] | null = null;
  /** The response whose turn it was when the socket closed. */
  private lost: EngineResponse | null = null;
  /** The request whose body is arriving. */
  private receiving: EngineRequest | null = null;
  private upgrading: EngineRequest | null = null;
  /** What its listener was given while the body of the request that leaves HTTP is still arriving. */
  upgraded: UpgradeStream | null = null;
  private pendingOctets = 0;
  private bodyPaused = false;
  /** A body that somebody may be reading came with this read. */
  private bodyInHand = false;
  private ends: MessageEnds | null = null;
  /** The last answer that this connection will carry has been given. */
  private ending = false;
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
    this.outbox = new Outbox(socket);
    if (this.server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(this.server.timeout);
    listenTo(socket, this);
    // For streams handed in by `server.emit('connection', stream)`; net has set it on its own sockets.
    socket.server = this.server;
  }

  /** No request is being answered or received. */
  get idle(): boolean {
    if (this.current !== null || this.parser.busy) return false;
    return this.messageStart === 0 || (SILENT_CONNECTIONS_ARE_IDLE && !this.begun);
  }

  /** Some of a head has arrived, not all. */
  get awaitsHead(): boolean {
    return this.receiving === null && this.upgrading === null;
  }

  /** Takes the listeners back and leaves the socket as if it had never carried HTTP. */
  release(): void {
    // An answer still under way goes on by itself, as node's do.
    if (this.current !== null) becomeNode(this.current);
    stopListening(this.socket);
    this.engine.remove(this);
  }

  // --- reading ---------------------------------------------------------------------------------------------------

  receive(chunk: Buffer, lent: boolean): boolean {
    this.ends?.tell();
    this.idleSince = -1;
    if (this.timeoutParked) unparkTimeout(this);
    this.outbox.hold();
    try {
      this.parser.feed(chunk, lent);
    } catch (error) {
      this.outbox.release(!this.parser.busy);
      this.ends?.tellAfterTicks();
      if (!(error instanceof WireError)) throw error;
      if (this.parser.busy || !this.awaitsHead) noteMessageStart(this);
      // A fault in the body of an upgrade is nobody's to hear, as under node: the request does not get complete.
      if (this.upgrading === null) {
        this.fail(error);
        return false;
      }
    }
    this.context = null;
    this.outbox.release(!this.parser.busy);
    this.ends?.tellAfterTicks();
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
    if (this.current === null && this.messageStart === 0) fallIdle(this);
    return false;
  }

  onHead(parser: RequestParser): boolean {
    const { engine, socket } = this;
    const req = new engine.Request(this, parser);
    if (this.server.joinDuplicateHeaders) Object.assign(req, { joinDuplicateHeaders: true });
    if (parser.upgrade && engine.mayUpgrade(req)) {
      req.upgrade = true;
      req.complete = !(UPGRADES_HAVE_BODIES && parser.announcesBody);
      this.upgrading = req;
      return req.complete;
    }
    this.idleSince = -1;
    this.receiving = req;
    this.bodyInHand = false;
    if (engine.optimizesEmpty && !(parser.facts & (Fact.ContentLength | Fact.TransferEncoding))) closeStream(req);
    if (!socket._paused && (socket.writableNeedDrain || this.pendingOctets >= socket.writableHighWaterMark)) {
      // A flood of pipelined requests whose answers nobody takes must not be read on (node does the same).
      socket._paused = true;
      socket.pause();
    }
    const res = new engine.Response(req, parser.persistent);
    if (this.current === null && !this.ending) {
      this.current = res;
      socket._httpMessage = res;
    } else {
      (this.waiting ??= []).push(res);
    }
    if (anybodyHearsAll()) becomeNode(res);
    this.outbox.more = parser.more;
    if (parser.more) this.context ??= captureContext();
    if (this.context === null) dispatch(this, req, res, parser.facts);
    else this.context.runInAsyncScope(dispatch, undefined, this, req, res, parser.facts);
    return this.over;
  }

  onBody(data: Buffer): void {
    const req = this.receiving ?? this.upgrading;
    if (req === null) return;
    this.bodyInHand ||= req[kLife] === Life.Node && Boolean(this.socket._handle);
    if (receiveBody(req, data)) return;
    this.bodyPaused = true;
    this.socket.pause();
  }

  onMessageEnd(trailers: string[]): void {
    const req = this.receiving;
    this.receiving = null;
    this.messageStart = 0;
    if (req !== null) {
      const inHand = this.bodyInHand;
      if (inHand || this.ends?.waiting) (this.ends ??= new MessageEnds()).add(req, trailers, inHand);
      else completeRequest(req, trailers);
    } else if (this.upgrading !== null) {
      completeRequest(this.upgrading, trailers);
      this.parser.stop();
    }
    if (this.bodyPaused || this.socket.readableFlowing === false) this.readOn();
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

  answer(res: EngineResponse, text: string, utf8: boolean, body: Uint8Array | null): void {
    if (this.socket.destroyed) {
      if (isListenedTo(res)) res.emit('prefinish');
    } else if (res !== this.current) {
      this.countPending(octetsOf((res[kPending] = { text, utf8, body })));
    } else if (this.send(res, text, utf8, body)) {
      this.advance(res);
    }
  }

  private send(res: EngineResponse, text: string, utf8: boolean, body: Uint8Array | null): boolean {
    // The peer half-closed and with it, as node has it, the connection: the answer has nowhere to go.
    if (!this.socket.writable) return false;
    res._headerSent = true;
    this.outbox.put(res, text, utf8, body);
    if (isListenedTo(res)) res.emit('prefinish');
    return true;
  }

  mayWrite(res: EngineResponse): boolean {
    return res === this.current && this.socket.writable;
  }

  adopt(res: EngineResponse): void {
    nodeResponse.prependListener.call(res, 'finish', () => this.nodeFinished(res));
    if (res === this.lost) keepSocket(res, this.socket);
    if (res !== this.current) return;
    // node's code writes to the socket itself: what was answered before must be out.
    this.outbox.flush();
    this.socket._httpMessage = null;
    assignUnheard(res, this.socket);
  }

  recall(res: EngineResponse): Socket | null {
    this.outbox.flush();
    return this.socket._httpMessage === res ? this.socket : null;
  }

  socketOf(res: EngineResponse): Socket | null {
    const has = res === this.current || res === this.lost || res[kLife] === Life.Ended;
    return has ? this.socket : null;
  }

  private nodeFinished(res: EngineResponse): void {
    responseFinished(this, res);
    dumpUnread(res.req);
    if (this.bodyPaused) this.readOn();
    nodeResponse.detachSocket.call(res, this.socket);
    process.nextTick(closeResponse, res);
    this.advance(res);
  }

  settled(res: EngineResponse): void {
    dumpUnread(res.req);
    if (this.bodyPaused || (res.req === this.receiving && this.socket.readableFlowing === false)) this.readOn();
    if (this.socket._httpMessage === res) this.socket._httpMessage = null;
  }

  /** The answer of `res` is on its way: the next response has its turn, and goes if it is there. */
  private advance(res: EngineResponse): void {
    for (let last = res; ;) {
      if (last._last) {
        this.ending = true;
        this.current = null;
        this.outbox.close(!this.parser.busy);
        return;
      }
      const next = this.waiting?.shift() ?? null;
      this.current = next;
      if (next === null) {
        if (!this.parser.busy) fallIdle(this);
        return;
      }
      const pending = next[kPending];
      if (pending === null) {
        this.giveTurn(next);
        return;
      }
      next[kPending] = null;
      this.countPending(-octetsOf(pending));
      if (!this.send(next, pending.text, pending.utf8, pending.body)) return;
      last = next;
    }
  }

  private giveTurn(res: EngineResponse): void {
    if (res[kLife] === Life.Lean) {
      this.socket._httpMessage = res;
      return;
    }
    this.outbox.flush();
    this.socket._httpMessage = null;
    nodeResponse.assignSocket.call(res, this.socket);
  }

  // --- deadlines and faults --------------------------------------------------------------------------------------

  /** The head or the body did not arrive in time. */
  expire(): void {
    this.fail(requestTimeoutError());
  }

  timedOut(): void {
    tellTimeout(this, this.receiving ?? this.upgrading, this.current);
  }

  fail(error: Error): void {
    this.outbox.flush();
    refuse(this, error, this.current);
  }

  peerEnded(): void {
    const { socket, server } = this;
    this.ends?.tell();
    try {
      this.parser.finish();
    } catch (error) {
      if (this.upgrading === null) {
        this.fail(error as Error);
        return;
      }
    }
    const last = this.waiting?.at(-1) ?? this.current;
    if (server.httpAllowHalfOpen && last !== null) last._last = true;
    else socket.end();
  }

  closed(): void {
    this.ends?.tell();
    this.engine.remove(this);
    this.over = true;
    const { current: res, waiting } = this;
    this.current = null;
    this.lost = res;
    this.waiting = null;
    abort(res, waiting ?? []);
  }

  drained(): void {
    this.resumeReading();
    if (this.current !== null) tellDrained(this.current);
  }
}
