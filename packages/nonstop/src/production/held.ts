import type http from 'node:http';
import type { Socket } from 'node:net';

const kHeld: unique symbol = Symbol.for('nonstop.held');

interface Exchange {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  readonly start: number;
}

/**
 * A connection and the requests that it has in hand, in their order. Most have one: it is kept in fields, and those of pipelined
 * requests behind it in a list.
 */
export class Held {
  readonly socket: Socket;
  /** The response that came last, as long as it is under way. */
  last: http.ServerResponse | null = null;
  /** What the connection was upgraded to, once it was. */
  upgraded: string | undefined = undefined;
  /** Milliseconds of `performance.now()` at which it fell idle. */
  idleSince = performance.now();
  /** Who the client is, where that was asked for; see the gate. */
  address: string | undefined = undefined;
  /** A request has come on it. */
  served = false;
  private readWhenIdle = 0;
  private req: http.IncomingMessage | null = null;
  private res: http.ServerResponse | null = null;
  private start = 0;
  private waiting: Exchange[] | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Nothing is under way, and nothing has begun to arrive. */
  get isIdle(): boolean {
    return this.res === null && this.upgraded === undefined && this.socket.bytesRead === this.readWhenIdle;
  }

  /** The response whose turn it is. */
  get current(): http.ServerResponse | null {
    return this.res;
  }

  add(req: http.IncomingMessage, res: http.ServerResponse, start: number): void {
    this.last = res;
    this.served = true;
    if (this.res === null) {
      this.req = req;
      this.res = res;
      this.start = start;
    } else {
      (this.waiting ??= []).push({ req, res, start });
    }
  }

  /** Lets go of a response. @returns when its request came; undefined where it is not under way */
  take(res: http.ServerResponse): number | undefined {
    if (res !== this.res) return this.takeWaiting(res);
    const { start } = this;
    const next = this.waiting?.shift();
    this.req = next?.req ?? null;
    this.res = next?.res ?? null;
    this.start = next?.start ?? 0;
    if (next === undefined) {
      this.last = null;
      this.idleSince = performance.now();
      this.readWhenIdle = this.socket.bytesRead;
    }
    return start;
  }

  private takeWaiting(res: http.ServerResponse): number | undefined {
    const index = this.waiting?.findIndex((each) => each.res === res) ?? -1;
    return index === -1 ? undefined : this.waiting!.splice(index, 1)[0].start;
  }

  inHand(): Exchange[] {
    const { req, res, start } = this;
    return req === null || res === null ? [] : [{ req, res, start }, ...(this.waiting ?? [])];
  }

  /**
   * Has the answer of `res`, or else of the last that is under way, say `Connection: close`. Of pipelined requests it is the last that
   * says so: what stands behind such an answer is lost.
   */
  closeAfter(res: http.ServerResponse | null = this.last): void {
    const { last } = this;
    if (last !== null && last !== res && !last.headersSent) last.shouldKeepAlive = true;
    if (res !== null && !res.headersSent) res.shouldKeepAlive = false;
  }
}

interface MaybeHeld {
  [kHeld]?: Held;
}

export function heldBy(socket: Socket | null): Held | undefined {
  return socket === null ? undefined : (socket as MaybeHeld)[kHeld];
}

export function holdOf(socket: Socket): Held {
  const held = new Held(socket);
  (socket as MaybeHeld)[kHeld] = held;
  return held;
}
