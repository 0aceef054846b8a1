import type { Socket } from 'node:net';
import { TICKS_ARE_CHUNKS } from '../../node/differences.js';
import { canWriteDirectly, writeDirectly } from '../../node/handle-writes.js';
import { uncorkFully } from '../../node/sockets.js';
import { kCorked } from '../../node/message-state.js';
import { type EngineResponse, type PartSink, Life, kLife } from '../message.js';
import { nodeResponse } from '../response/become-node.js';
import { writeGathered } from '../response/body.js';

/**
 * What goes to the socket of one connection. It is written when it is given, as under node: whatever else a program does to
 * the socket next finds it on its way.
 */
export class Outbox implements PartSink {
  private readonly socket: Socket;
  /** Told when all of an answer is the kernel's, or never will be: once for each {@link put}, in order. */
  readonly sent: (error?: Error | null) => void;
  /** A socket of node's own that writes at once what the kernel takes. */
  private readonly direct: boolean;
  /** From here on a text is more than the socket takes before it asks its writers to wait. */
  private readonly highWaterMark: number;
  /** For its parts the socket is corked until the end of the tick. */
  private gathering: EngineResponse | null = null;

  constructor(socket: Socket, sent: (error?: Error | null) => void) {
    this.socket = socket;
    this.sent = sent;
    this.highWaterMark = socket.writableHighWaterMark;
    this.direct = canWriteDirectly(socket);
  }

  /**
   * Writes an answer as {@link put} does, but asks for no word of it where the kernel has it already: the callback of a write costs
   * an object and a tick, 3 % of a hello world.
   *
   * @returns whether it is sent, and nothing will be told
   */
  putNow(text: string, utf8: boolean): boolean {
    const written = this.writeDirectly(text, utf8);
    if (written === undefined) this.putInStream(text, utf8, null);
    return written === true;
  }

  /** Writes the last of an answer, or all of it: text with a body behind it. */
  put(text: string, utf8: boolean, body: Uint8Array | null): void {
    const written = body === null ? this.writeDirectly(text, utf8) : undefined;
    if (written === undefined) this.putInStream(text, utf8, body);
    else if (written) process.nextTick(this.sent);
  }

  /** See there. Undefined, and nothing done, for a text that is empty or has to wait, too. */
  private writeDirectly(text: string, utf8: boolean): boolean | undefined {
    const { socket } = this;
    const fits = text !== '' && text.length < this.highWaterMark;
    if (!this.direct || !fits || this.gathering !== null || socket.writableCorked !== 0) return undefined;
    return writeDirectly(socket, text, utf8, this.sent);
  }

  private putInStream(text: string, utf8: boolean, body: Uint8Array | null): void {
    const { socket } = this;
    if (body !== null) {
      socket.cork();
      if (text !== '') socket.write(text, 'latin1');
      socket.write(body, this.sent);
      socket.uncork();
    } else if (text.length >= this.highWaterMark) {
      // node's responses end on a corked socket, which therefore counts all of it: it tells `'drain'` when it is out.
      socket.cork();
      socket.write(text, utf8 ? 'utf8' : 'latin1', this.sent);
      socket.uncork();
    } else if (text !== '') {
      socket.write(text, utf8 ? 'utf8' : 'latin1', this.sent);
    } else if (socket.writableLength === 0) {
      process.nextTick(this.sent);
    } else {
      socket.write('', 'latin1', this.sent);
    }
    if (socket.writableCorked !== 0) this.letGo();
  }

  write(part: string | Uint8Array, utf8: boolean): boolean {
    const { socket } = this;
    if (part.length === 0) return socket.writableLength < socket.writableHighWaterMark;
    return socket.write(part, utf8 ? 'utf8' : 'latin1');
  }

  gather(res: EngineResponse): void {
    if (this.gathering === res || this.socket.writableCorked !== 0) return;
    this.gathering = res;
    this.socket.cork();
    if (TICKS_ARE_CHUNKS) res[kCorked] = 1;
    process.nextTick(endTick, this, res);
  }

  /** At its end an answer leaves whoever has corked the socket, and however often. */
  private letGo(): void {
    this.gathering = null;
    uncorkFully(this.socket);
  }

  /** The tick is over in which `res` began to write. */
  endTick(res: EngineResponse): void {
    if (this.gathering !== res) {
      // It has ended since. Who corks it then corks it until here, as under node.
      if (TICKS_ARE_CHUNKS && res[kCorked] !== 0) nodeResponse.uncork.call(res);
      return;
    }
    this.gathering = null;
    if (res[kLife] === Life.Node || (res[kCorked] as number) > 1) {
      // Somebody has corked it as well, or node's code goes on with what was gathered.
      if (!TICKS_ARE_CHUNKS) this.socket.uncork();
      else if (res[kCorked] !== 0) nodeResponse.uncork.call(res);
      return;
    }
    if (TICKS_ARE_CHUNKS) {
      res[kCorked] = 0;
      writeGathered(res);
    }
    this.socket.uncork();
  }
}

function endTick(outbox: Outbox, res: EngineResponse): void {
  outbox.endTick(res);
}
