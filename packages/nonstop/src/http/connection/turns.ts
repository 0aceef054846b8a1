import { nodesProcess } from '../../core/clock.js';
import { isFinishObserved, publishFinish } from '../server/observers.js';
import { closeLater, closeResponse, isListenedTo, noteFinished, wasSent } from '../response/finish.js';
import {
  kPending,
  type Answer,
  type EngineRequest,
  type EngineResponse,
  type MessageHost,
  Life,
  kLife,
  kRequest,
} from '../message.js';
import { Outbox } from './outbox.js';
import { becomeNode, hasSocket, makeNodes, openOutput, setSocket } from '../response/become-node.js';
import { nodeResponse } from '../../node/classes.js';
import { noteFinishing } from '../request/body.js';
import { kCorked } from '../../node/message-state.js';
import type { Reading } from './reading.js';
import type { HttpSocket } from './socket-listeners.js';

/** The connection's methods that its responses call. */
export interface TurnsOwner extends MessageHost {
  readonly socket: HttpSocket;
  readonly reading: Reading;
  /** `res` is sent: the rest of its request is dropped. */
  responseSent(res: EngineResponse, heard: boolean): void;
  /** Every response is sent. */
  allSent(): void;
  /** The last response of the connection is sent. @param quiet no code of the program's runs because of that */
  lastSent(quiet: boolean): void;
}

/** How far the responses of a connection are. */
const enum Sending {
  /** The next octets are those of `current`, if there is one. */
  Open,
  /** The socket has all of `current`, which a handler of this read ended and which has no listeners. It is finished with the read. */
  SentInRead,
  /** The last response of the connection is sent. */
  Ended,
}

/**
 * The responses of one connection in the order of their requests (RFC 9112 §9.3.2). `current` is the one whose turn it
 * is, until it is sent; `waiting` holds those of later pipelined requests.
 */
export class Turns {
  current: EngineResponse | null = null;
  readonly outbox: Outbox;
  private readonly owner: TurnsOwner;
  private waiting: EngineResponse[] | null = null;
  /** Responses that were written together with `current`, and finish with it. */
  private joined: EngineResponse[] | null = null;
  private sending = Sending.Open;
  /** The connection no longer carries HTTP. */
  private hasLeft = false;

  constructor(owner: TurnsOwner) {
    this.owner = owner;
    this.outbox = new Outbox(owner.socket, this);
  }

  /** The last response in the order. */
  get last(): EngineResponse | null {
    return this.waiting?.at(-1) ?? this.joined?.at(-1) ?? this.current;
  }

  /** Whether each response is ended. */
  get areEnded(): boolean {
    const { current, waiting } = this;
    return (current === null || current.finished) && (waiting === null || waiting.every(({ finished }) => finished));
  }

  /** Whether the socket has got each response that is ended. */
  get areWritten(): boolean {
    return this.waiting === null || this.waiting.length === 0;
  }

  /** Adds `res` at the end. @param observed an observer needs node's constructor to make it */
  add(res: EngineResponse, observed: boolean): void {
    if (observed) {
      const finished = makeNodes(res);
      this.begin(res);
      nodeResponse.on.call(res, 'finish', finished);
    } else if (this.isTaken) this.wait(res);
    else {
      const { socket } = this.owner;
      this.current = res;
      setSocket(res, socket);
      socket._httpMessage = res;
    }
  }

  /** {@link add} for a response that other code has had already: it is told of its socket, and what it has sent so far is written. */
  begin(res: EngineResponse): void {
    if (this.isTaken) return this.wait(res);
    this.current = res;
    this.giveTurn(res);
  }

  /**
   * The socket's own property decides, as under node: `detachSocket()` may have removed the socket from a response. A
   * response after the last one gets the socket too, to learn that it closes.
   */
  private get isTaken(): boolean {
    const { socket } = this.owner;
    return Boolean(socket._httpMessage) || (this.sending === Sending.Ended && socket.writable);
  }

  private wait(res: EngineResponse): void {
    (this.waiting ??= []).push(res);
  }

  /**
   * Takes the whole response `res`, or the rest of it: text, then a body.
   *
   * @returns false if it is the turn of `res` and the socket accepts no more
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
    if (body !== null || !this.owner.reading.isHandling || isFollowed(res)) this.outbox.putLast(text, utf8, body);
    else if (this.outbox.putNow(text, utf8)) this.sending = Sending.SentInRead;
    if (isListenedTo(res)) res.emit('prefinish');
    return true;
  }

  /** A request is used after the end of its response: its ticks come after the one that finishes the response. */
  touched(req: EngineRequest): void {
    if (this.current?.[kRequest] === req) this.finishInTick();
  }

  /**
   * Handlers have returned, and ticks come next.
   *
   * @param faulty the read has ended with an error: the response finishes in a tick, or gets the error if the socket is destroyed before
   */
  release(faulty = false): void {
    if (this.sending !== Sending.SentInRead) return;
    const { reading } = this.owner;
    // A listener may have been added after `end()`.
    if (faulty || (this.current !== null && isListenedTo(this.current))) {
      reading.callInContext(() => this.finishInTick());
      return;
    }
    this.sending = Sending.Open;
    if (reading.isInContext) this.sent();
    else reading.enterContext(this.outbox.sent);
  }

  /** Finishes `current` in a tick, if it would be finished with the read. */
  private finishInTick(): void {
    if (this.sending !== Sending.SentInRead) return;
    this.sending = Sending.Open;
    nodesProcess.nextTick(this.outbox.sent);
  }

  /** Finishes `res` with node's events in node's ticks, even without listeners. */
  finishLater(res: EngineResponse): void {
    if (res[kPending] !== null || res.destroyed) return;
    res[kLife] = Life.Node;
    if (res === this.current) this.finishInTick();
  }

  /** As node checks it: the response has the socket, and the socket has the response. */
  hasTurn(res: EngineResponse): boolean {
    return this.owner.socket._httpMessage === res && hasSocket(res);
  }

  /** The first listener of `'finish'` (node: `resOnFinish`). */
  finished(res: EngineResponse): void {
    const { owner } = this;
    publishFinish(owner, res);
    owner.responseSent(res, true);
    noteFinishing(res[kRequest]);
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

  /**
   * The connection leaves HTTP. A response that is still being sent continues on its own, as under node: there its listener is older than those
   * of its handler.
   */
  leave(): void {
    const { current } = this;
    this.hasLeft = true;
    if (current === null) return;
    becomeNode(current);
    this.owner.socket.prependListener('close', () => closeResponse(current));
  }

  /** The connection is closed. @returns the responses that will not have their turn */
  lose(): EngineResponse[] {
    const lost = [...(this.joined ?? []), ...(this.waiting ?? [])];
    this.waiting = null;
    return lost;
  }

  /** The socket has sent `current`, and the responses that were written with it. */
  sent(error?: Error | null): void {
    const { current, joined } = this;
    if (current === null || !wasSent(current, this.owner.socket, error)) return;
    // After an error, node 20 takes the first one alone for sent.
    const last = error ? current : (joined?.at(-1) ?? current);
    for (let res = current; ; res = this.current) {
      this.finish(res);
      // Not if the engine's listener was removed.
      if (res === last || this.current === res || this.current === null) return;
    }
  }

  /** Does what `emit('finish')` does, without the event if there is no other listener. */
  private finish(res: EngineResponse): void {
    const { owner } = this;
    noteFinished(res);
    if (isListenedTo(res) || res[kLife] === Life.Node) {
      res.emit('finish');
      return;
    }
    const isObserved = publishFinish(owner, res);
    owner.responseSent(res, false);
    this.detach(res);
    // Listeners of the request may use the response until it has closed, and the socket; observers may have added listeners.
    const heard = isObserved || res[kRequest][kLife] === Life.Node;
    closeLater(res, heard);
    if (res === this.current) this.advance(res, !heard);
  }

  /** `res` is sent: the next response has its turn. @param quiet no code of the program's runs because of that */
  private advance(res: EngineResponse, quiet: boolean): void {
    // A program has emitted 'finish'. The read must not finish the next one.
    if (this.sending === Sending.SentInRead) this.sending = Sending.Open;
    if (res._last) {
      this.sending = Sending.Ended;
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
    // If the response is corked, the socket is corked from here on. Behind HTTP nobody but node's own code tells it that the socket closes.
    if ((res[kCorked] !== 0 || this.hasLeft) && res[kLife] !== Life.Node) openOutput(res);
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

  /** Sends a waiting response, together with the complete responses after it that have no listeners. */
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

  /** The response that may be written together with `last`, if any: not one with which the socket is full, because it emits `'drain'` for each that fills it. */
  private joinable(last: EngineResponse, text: string, body: Uint8Array | null): EngineResponse | null {
    if (body !== null || last._last || isListenedTo(last)) return null;
    const next = this.waiting?.[0];
    if (next === undefined || next[kPending] === null || next[kCorked] !== 0 || isListenedTo(next)) return null;
    if (isFinishObserved()) return null;
    return text.length + next.outputSize < this.outbox.highWaterMark ? next : null;
  }
}

/** Whether its finish is visible: to a listener, to a subscriber, or through the used stream of its request, which is dumped then. */
function isFollowed(res: EngineResponse): boolean {
  return isListenedTo(res) || res[kRequest][kLife] === Life.Node || isFinishObserved();
}

/** @returns the number of octets that no longer wait */
function takePending(res: EngineResponse): number {
  const octets = res.outputSize;
  res[kPending] = null;
  res.outputSize = 0;
  return octets;
}
