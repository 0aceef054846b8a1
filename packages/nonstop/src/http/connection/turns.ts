import { anybodyHearsFinish, responseFinished } from '../server/observers.js';
import { closeLater, closeResponse, isListenedTo, noteFinished, wasSent } from '../response/finish.js';
import {
  kPending,
  type Answer,
  type EngineRequest,
  type EngineResponse,
  type MessageHost,
  Life,
  kLife,
} from '../message.js';
import { Outbox } from './outbox.js';
import { becomeNode, hasSocket, makeNodes, nodeResponse, openOutput, setSocket } from '../response/become-node.js';
import { noteFinishing } from '../request/body.js';
import { kCorked } from '../../node/message-state.js';
import type { HttpSocket } from './socket-listeners.js';

/** Text of answers that have waited, written at once at most. */
const MOST_JOINED = 65_536;

/** What the responses of a connection tell it. */
export interface TurnsOwner extends MessageHost {
  /** Handlers run, called by a read, and their ticks come when it has been handled. */
  readonly handling: boolean;
  readonly socket: HttpSocket;
  /** The answer of `res` is sent: what is left of its request nobody wants. */
  settle(res: EngineResponse, heard: boolean): void;
  /** Every answer is sent. */
  allSent(): void;
  /** The last answer that the connection will carry is sent. @param quiet nobody was told of that */
  lastSent(quiet: boolean): void;
}

/**
 * The responses of one connection in the order of their requests (RFC 9112 §9.3.2). `current` is the one whose turn it is, until
 * its answer is sent; `waiting` holds those of pipelined requests behind it.
 */
export class Turns {
  current: EngineResponse | null = null;
  readonly outbox: Outbox;
  private readonly owner: TurnsOwner;
  private waiting: EngineResponse[] | null = null;
  /** Responses whose answers went to the socket together with that of `current`, and are finished with it. */
  private joined: EngineResponse[] | null = null;
  /** The last answer that the connection will carry is sent. */
  private ending = false;
  /** The answer of `current` was sent by a handler of this read, and nobody listened. */
  private sentInRead = false;

  constructor(owner: TurnsOwner) {
    this.owner = owner;
    const sent = (error?: Error | null): void => this.sent(error);
    this.outbox = new Outbox(owner.socket, sent);
  }

  /** The response behind which there is none. */
  get last(): EngineResponse | null {
    return this.waiting?.at(-1) ?? this.current;
  }

  /** Puts `res` at the end. @param watched somebody wants node's constructor to have made it */
  add(res: EngineResponse, watched: boolean): void {
    const { socket } = this.owner;
    // The socket's own word, as under node: somebody may have taken it from a response by `detachSocket()`. Behind the last answer
    // a response has the socket as well, if only to hear that it closes.
    if (socket._httpMessage || (this.ending && socket.writable)) {
      (this.waiting ??= []).push(res);
      if (watched) makeNodes(res, null);
      return;
    }
    this.current = res;
    if (watched) makeNodes(res, socket);
    else {
      setSocket(res, socket);
      socket._httpMessage = res;
    }
  }

  /**
   * Takes all of what `res` answers, or what is left of it: text with a body behind it.
   *
   * @returns false where it is the turn of `res` and the socket takes nothing any more
   */
  answer(res: EngineResponse, text: string, utf8: boolean, body: Uint8Array | null): boolean {
    const { socket } = this.owner;
    if (!this.hasTurn(res)) {
      res.outputSize = text.length + (body?.byteLength ?? 0);
      res[kPending] = { text, utf8, body };
      res._headerSent = true;
      this.owner.countPending(res.outputSize);
      return true;
    }
    if (!socket.writable) return false;
    res._headerSent = true;
    if (body !== null || !this.owner.handling || isFollowed(res)) this.outbox.putLast(text, utf8, body);
    else this.sentInRead = this.outbox.putNow(text, utf8);
    if (isListenedTo(res)) res.emit('prefinish');
    return true;
  }

  /** Something is done to a request behind the end of its answer: its ticks come after the one that finishes the answer. */
  touched(req: EngineRequest): void {
    if (!this.sentInRead || this.current?.req !== req) return;
    this.sentInRead = false;
    process.nextTick(this.outbox.sent);
  }

  /** Handlers have returned, and ticks come next. */
  release(): void {
    if (!this.sentInRead) return;
    this.sentInRead = false;
    // Somebody may have begun to listen behind `end()`.
    if (this.current !== null && isListenedTo(this.current)) process.nextTick(this.outbox.sent);
    else this.sent();
  }

  /** That the answer of `res` is sent is told with node's events in node's ticks, though nobody listens. */
  finishLater(res: EngineResponse): void {
    if (res[kPending] !== null || res.destroyed) return;
    res[kLife] = Life.Node;
    if (!this.sentInRead || res !== this.current) return;
    this.sentInRead = false;
    process.nextTick(this.outbox.sent);
  }

  /** As node finds it out: the socket is its, and it is the socket's. */
  hasTurn(res: EngineResponse): boolean {
    return this.owner.socket._httpMessage === res && hasSocket(res);
  }

  /** The first listener of `'finish'` (node: `resOnFinish`). */
  finished(res: EngineResponse): void {
    const { owner } = this;
    responseFinished(owner, res);
    owner.settle(res, true);
    noteFinishing(res.req);
    if (res[kLife] === Life.Node && owner.socket._httpMessage === res)
      nodeResponse.detachSocket.call(res, owner.socket);
    else this.detach(res);
    closeLater(res, true);
    if (res === this.current) this.advance(res, false);
  }

  private detach(res: EngineResponse): void {
    const { socket } = this.owner;
    setSocket(res, null);
    if (socket._httpMessage === res) socket._httpMessage = null;
  }

  /** The connection leaves HTTP. An answer still under way goes on by itself, as node's do. */
  leave(): void {
    const { current } = this;
    if (current === null) return;
    becomeNode(current);
    this.owner.socket.on('close', () => closeResponse(current));
  }

  /** The connection is gone. @returns the responses that will not have their turn */
  lose(): EngineResponse[] {
    const lost = [...(this.joined ?? []), ...(this.waiting ?? [])];
    this.waiting = null;
    return lost;
  }

  /** The socket is through with the answer of `current`, and with those that went with it. */
  private sent(error?: Error | null): void {
    const { current, joined } = this;
    if (current === null || !wasSent(current, this.owner.socket, error)) return;
    const last = joined?.at(-1) ?? current;
    for (let res = current; ; res = this.current) {
      this.finish(res);
      // Not so where somebody has taken the engine's listener away.
      if (res === last || this.current === res || this.current === null) return;
    }
  }

  /** What `emit('finish')` does, without the event where nobody else hears it. */
  private finish(res: EngineResponse): void {
    const { owner } = this;
    noteFinished(res);
    if (isListenedTo(res) || res[kLife] === Life.Node) {
      res.emit('finish');
      return;
    }
    if (anybodyHearsFinish()) responseFinished(owner, res);
    owner.settle(res, false);
    this.detach(res);
    // Whoever hears of the request may call on the response until it has closed.
    closeLater(res, res.req[kLife] === Life.Node);
    if (res === this.current) this.advance(res, true);
  }

  /** The answer of `res` is sent: the next response has its turn. @param quiet nobody was told of that */
  private advance(res: EngineResponse, quiet: boolean): void {
    if (res._last) {
      this.ending = true;
      this.current = null;
      this.owner.lastSent(quiet);
      return;
    }
    const { joined } = this;
    if (joined !== null) {
      this.current = joined.shift()!;
      if (joined.length === 0) this.joined = null;
      return;
    }
    const next = this.waiting?.shift() ?? null;
    this.current = next;
    if (next === null) this.owner.allSent();
    else this.giveTurn(next);
  }

  private giveTurn(res: EngineResponse): void {
    const { socket } = this.owner;
    // Whoever has corked it has corked the socket from here on.
    if (res[kCorked] !== 0 && res[kLife] !== Life.Node) openOutput(res);
    if (res[kLife] === Life.Node) {
      nodeResponse.assignSocket.call(res, socket);
      return;
    }
    setSocket(res, socket);
    socket._httpMessage = res;
    if (isListenedTo(res)) res.emit('socket', socket as never);
    const pending = res[kPending];
    if (pending !== null && this.current === res && socket.writable) this.sendPending(res, pending);
  }

  /** Sends an answer that has waited, and with it those behind it that are there and that nobody listens to. */
  private sendPending(first: EngineResponse, { text, utf8, body }: Answer): void {
    let all = text;
    let last = first;
    let octets = takePending(first);
    let next = this.joinable(last, all, body);
    while (next !== null && next[kPending]!.utf8 === utf8) {
      this.waiting!.shift();
      all += next[kPending]!.text;
      ({ body } = next[kPending]!);
      octets += takePending(next);
      (this.joined ??= []).push(next);
      last = next;
      next = this.joinable(last, all, body);
    }
    this.owner.countPending(-octets);
    this.outbox.put(all, utf8, body);
    if (isListenedTo(first)) first.emit('prefinish');
    if (last !== first && isListenedTo(last)) last.emit('prefinish');
  }

  /** The response whose answer may leave with what is written behind `last`, if there is one. */
  private joinable(last: EngineResponse, text: string, body: Uint8Array | null): EngineResponse | null {
    if (body !== null || last._last || text.length > MOST_JOINED || isListenedTo(last)) return null;
    const next = this.waiting?.[0];
    if (next === undefined || next[kPending] === null || next[kCorked] !== 0 || isListenedTo(next)) return null;
    return next;
  }
}

/** Somebody notices when it is finished: a listener, or whoever has touched the stream of its request, which is dumped then. */
function isFollowed(res: EngineResponse): boolean {
  return isListenedTo(res) || res.req[kLife] === Life.Node;
}

/** @returns the octets that no longer wait */
function takePending(res: EngineResponse): number {
  const octets = res.outputSize;
  res[kPending] = null;
  res.outputSize = 0;
  return octets;
}
