import type { Socket } from 'node:net';
import { nodesProcess } from '../../core/clock.js';
import { TICKS_ARE_CHUNKS } from '../../node/differences.js';
import { canWriteDirectly, writeDirectly } from '../../node/handle-writes.js';
import { uncorkFully } from '../../node/sockets.js';
import { joinWaiting } from '../../node/waiting-text.js';
import { kChunkedLength, kCorked, kNeedDrain } from '../../node/message-state.js';
import { type EngineResponse, type PartSink, Life, kLife } from '../message.js';
import { nodeResponse } from '../../node/classes.js';
import { writeGathered } from '../response/body.js';

type Sent = (error?: Error | null) => void;

interface OutboxOwner {
  /** The socket has sent the next response, or never will. */
  sent(error?: Error | null): void;
}

/**
 * Writes to the socket of one connection. It writes at once, as node does, so everything that a program does to the
 * socket later comes after it.
 */
export class Outbox implements PartSink {
  private readonly socket: Socket;
  private readonly owner: OutboxOwner;
  /** See {@link sent}. Most connections never need it: 96 octets each. */
  private callback: Sent | null = null;
  /** A socket of node that writes at once what the kernel accepts. */
  private readonly direct: boolean;
  readonly highWaterMark: number;

  constructor(socket: Socket, owner: OutboxOwner) {
    this.socket = socket;
    this.owner = owner;
    this.highWaterMark = socket.writableHighWaterMark;
    this.direct = canWriteDirectly(socket);
  }

  /** Called when the kernel has a whole response, or never will have it: once for each {@link put}, in order. */
  get sent(): Sent {
    if (this.callback !== null) return this.callback;
    // In a variable first: V8 makes a function that is written into a property in its old generation, which would keep the connection until a full collection.
    const callback: Sent = (error) => this.owner.sent(error);
    this.callback = callback;
    return callback;
  }

  /**
   * Writes an answer as {@link putLast} does, but without a callback if the kernel has it at once: a callback costs an object and a tick,
   * 3 % of a hello world.
   *
   * @returns whether it is sent already, so that there is no callback
   */
  putNow(text: string, utf8: boolean): boolean {
    if (this.socket.writableCorked === 0) return this.putText(text, utf8);
    return this.putCorked(text, utf8);
  }

  /** Writes the last of an answer that ends now, and uncorks the socket, even if other code corked it, once or several times. */
  putLast(text: string, utf8: boolean, body: Uint8Array | null): void {
    if (body !== null) {
      this.putInStream(text, utf8, body);
      uncorkFully(this.socket);
    } else if (this.putNow(text, utf8)) nodesProcess.nextTick(this.sent);
  }

  /** Writes all of an answer that ended before it had its turn: text with a body behind it. */
  put(text: string, utf8: boolean, body: Uint8Array | null): void {
    if (body !== null || this.socket.writableCorked !== 0) this.putInStream(text, utf8, body);
    else if (this.putText(text, utf8)) nodesProcess.nextTick(this.sent);
  }

  /** @returns whether the kernel has it, so that there is no callback */
  private putText(text: string, utf8: boolean): boolean {
    const written = this.writeDirectly(text, utf8);
    if (written === undefined) this.putInStream(text, utf8, null);
    return written === true;
  }

  /** {@link putText} for a corked socket: together with the parts that wait there, which came in the same tick. */
  private putCorked(text: string, utf8: boolean): boolean {
    const { socket } = this;
    const waiting = socket.writableLength;
    // Without data in the stream, parts may wait in the response: then they are in `text`.
    if (waiting === 0) {
      uncorkFully(socket);
      return this.putText(text, utf8);
    }
    const fits = this.direct && waiting + text.length < this.highWaterMark;
    const joined = fits ? joinWaiting(socket, text, utf8) : undefined;
    if (joined === undefined) {
      this.putInStream(text, utf8, null);
      uncorkFully(socket);
      return false;
    }
    uncorkFully(socket);
    return this.putText(joined.text, joined.utf8);
  }

  /** `writeDirectly` of `node/handle-writes`. Writes nothing and returns undefined for an empty text, or one that has to wait. */
  private writeDirectly(text: string, utf8: boolean): boolean | undefined {
    const fits = text !== '' && text.length < this.highWaterMark;
    return this.direct && fits ? writeDirectly(this.socket, text, utf8, this) : undefined;
  }

  private putInStream(text: string, utf8: boolean, body: Uint8Array | null): void {
    const { socket } = this;
    if (body !== null) {
      socket.cork();
      if (text !== '') socket.write(text, 'latin1');
      socket.write(body, this.sent);
      socket.uncork();
    } else if (text.length >= this.highWaterMark) {
      // node ends a response on a corked socket, which therefore counts all of it, and emits `'drain'` when it is sent.
      socket.cork();
      socket.write(text, utf8 ? 'utf8' : 'latin1', this.sent);
      socket.uncork();
    } else if (text !== '') {
      socket.write(text, utf8 ? 'utf8' : 'latin1', this.sent);
    } else if (socket.writableLength === 0) {
      nodesProcess.nextTick(this.sent);
    } else {
      socket.write('', 'latin1', this.sent);
    }
  }

  write(part: string | Uint8Array, utf8: boolean): boolean {
    const { socket } = this;
    if (part.length === 0) return socket.writableLength < socket.writableHighWaterMark;
    return socket.write(part, utf8 ? 'utf8' : 'latin1');
  }

  gather(res: EngineResponse): void {
    const { socket } = this;
    if (socket.writableCorked !== 0) return;
    socket.cork();
    if (TICKS_ARE_CHUNKS) {
      (res[kCorked] as number) += 1;
      nodesProcess.nextTick(endTick, res, socket);
    } else nodesProcess.nextTick(uncork, socket);
  }
}

function uncork(socket: Socket): void {
  socket.uncork();
}

/** Ends the tick in which `res` corked the socket. Corks that other code added after `res.end()` last until here, as under node. */
function endTick(res: EngineResponse, socket: Socket): void {
  if (res[kCorked] === 0) return;
  if (res[kLife] !== Life.Lean || res[kCorked] !== 1) {
    nodeResponse.uncork.call(res);
    return;
  }
  res[kCorked] = 0;
  const gathered = res[kChunkedLength!] !== 0 && !res.destroyed && !socket.destroyed;
  writeGathered(res);
  socket.uncork();
  // node checks here, too, whether all of it was sent: the response may end before the socket's 'drain'.
  if (gathered && res[kNeedDrain] && res.writableLength === 0) {
    res[kNeedDrain] = false;
    res.emit('drain');
  }
}
