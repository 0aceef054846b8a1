import type http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { octetsSent } from '../node/sockets.js';
import { closeWithHead } from './close-with-head.js';
import { endSession, type Session } from './sessions.js';

const kHeld: unique symbol = Symbol.for('nonstop.held');

interface Exchange {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  readonly start: number;
}

/**
 * A connection and its requests under way, in their order. The first is kept in fields, because most have only one. Others, which are
 * pipelined or of other streams, are in a list.
 */
export class Held {
  readonly socket: Socket;
  /** The last response, as long as it is under way. */
  last: http.ServerResponse | null = null;
  /** The protocol of an upgraded connection. */
  upgraded: string | undefined = undefined;
  /** When it became idle, by `performance.now()`. */
  idleSince = performance.now();
  /** The client's address, if a limit needs it; see the gate. */
  address: string | undefined = undefined;
  /** The session of HTTP/2 that it carries: its requests end in any order. */
  session: Session | undefined = undefined;
  /** Open CONNECT streams of the session, by their response, with the protocol: tunnels, and WebSockets. */
  tunnels: Map<http.ServerResponse, string> | undefined = undefined;
  /** It has had a request. */
  served = false;
  /** The server may emit events twice for a request. */
  comeAgain = false;
  private told = false;
  private readWhenIdle = 0;
  private writtenBefore: number | undefined = undefined;
  private req: http.IncomingMessage | null = null;
  private res: http.ServerResponse | null = null;
  private start = 0;
  private waiting: Exchange[] | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** No request is under way, and none has begun to arrive. */
  get isIdle(): boolean {
    if (this.session !== undefined) return this.res === null && (this.tunnels?.size ?? 0) === 0;
    return this.res === null && this.upgraded === undefined && this.read === this.readWhenIdle;
  }

  upgrade(protocol: string): void {
    this.upgraded = protocol;
    this.writtenBefore = this.socket.bytesWritten;
  }

  /** Nothing was written since the upgrade. A stream that is no socket does not tell. */
  get waitsForUpgrade(): boolean {
    return this.writtenBefore !== undefined && this.writtenBefore === this.socket.bytesWritten;
  }

  /** An upgraded connection carries HTTP again. */
  carryHttp(): void {
    this.upgraded = undefined;
    this.idleSince = performance.now();
    this.readWhenIdle = this.read;
  }

  octets(): { read: number; written: number } {
    return { read: this.read, written: octetsSent(this.socket) };
  }

  private get read(): number {
    const { bytesRead = 0 } = this.socket as { readonly bytesRead?: number };
    return bytesRead;
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

  /** Removes a response. @returns when its request came; undefined if it is not under way */
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
      this.readWhenIdle = this.read;
    }
    return start;
  }

  private takeWaiting(res: http.ServerResponse): number | undefined {
    const index = this.waiting?.findIndex((each) => each.res === res) ?? -1;
    return index === -1 ? undefined : this.waiting!.splice(index, 1)[0].start;
  }

  /** A stream of the session has become a tunnel, until it closes. */
  addTunnel({ headers }: http.IncomingMessage, res: http.ServerResponse): void {
    const tunnels = (this.tunnels ??= new Map());
    tunnels.set(res, String(headers[':protocol'] ?? 'CONNECT'));
    this.served = true;
    // The response closes when its own side has ended.
    (res as http.ServerResponse & { readonly stream: Duplex }).stream.once('close', () => {
      tunnels.delete(res);
      this.idleSince = performance.now();
    });
  }

  /** Ends its session after the requests under way. */
  endSession(): void {
    if (this.session === undefined || this.told) return;
    this.told = true;
    endSession(this.session);
  }

  /** Whether a response is under way here. */
  holds(res: http.ServerResponse): boolean {
    return this.res === res || (this.waiting?.some((each) => each.res === res) ?? false);
  }

  inHand(): Exchange[] {
    const { req, res, start } = this;
    return req === null || res === null ? [] : [{ req, res, start }, ...(this.waiting ?? [])];
  }

  /**
   * Sets `Connection: close` on `res`, or else on the last response under way. Only the last of pipelined requests has
   * it, because answers after it would be lost.
   */
  closeAfter(res: http.ServerResponse | null = this.last): void {
    const { last } = this;
    if (this.session !== undefined) return;
    if (last !== null && last !== res && !last.headersSent) last.shouldKeepAlive = true;
    if (res === null || res.headersSent) return;
    res.shouldKeepAlive = false;
    closeWithHead(res);
  }
}

interface MaybeHeld {
  [kHeld]?: Held;
  readonly stream?: { readonly [kHeld]?: Held };
}

export function heldBy(socket: object | null | undefined): Held | undefined {
  if (socket === null || socket === undefined) return undefined;
  // For HTTP/2 node wraps a stream that is no socket.
  return (socket as MaybeHeld)[kHeld] ?? (socket as MaybeHeld).stream?.[kHeld];
}

export function holdOf(socket: Socket): Held {
  const held = new Held(socket);
  (socket as MaybeHeld)[kHeld] = held;
  return held;
}
