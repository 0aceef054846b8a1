import { subscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PassingSet } from '../core/passing-set.js';
import { perProcess } from '../core/shared.js';
import { socketOfSession } from '../node/http2-sessions.js';
import { withoutStore } from '../node/subscribers.js';
import { Held, heldBy, holdOf } from './held.js';
import type { Gate } from './overload.js';
import type { Session } from './sessions.js';

type Emit = (this: http.Server, event: string | symbol, ...args: unknown[]) => boolean;

/** One finished request. */
export interface Ended {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  readonly held: Held;
  /** When it came, by `performance.now()`; undefined if the server answered by itself. */
  readonly start: number | undefined;
  /** The connection closed before the answer was sent. */
  readonly aborted: boolean;
}

interface Finished {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly socket: Socket | null;
}

/**
 * The traffic of the HTTP servers of a process: their connections and the requests under way. It uses events of servers
 * and node's diagnostics channel, so it works for node's servers and the engine's.
 */
export class Traffic {
  /** Those that listen, or are about to. */
  readonly servers = new Set<http.Server>();
  private readonly followed = new WeakSet<http.Server>();
  readonly connections = new PassingSet<Held>();
  /** Connections whose TLS handshake is under way. */
  handshakes = 0;
  /** Requests under way. */
  inHand = 0;
  /** Refuses requests before any handler runs; null without limits. */
  gate: Gate | null = null;
  /** HTTP/2 sessions end after their requests under way. */
  endsSessions = false;
  /** Answers say `Connection: close`. */
  closing = false;
  /** Called for each server that begins to listen. */
  onListening: ((server: http.Server) => void) | null = null;
  /** Called for each server that has closed. */
  onClosed: (() => void) | null = null;
  /** Called for each finished request. */
  onEnded: ((ended: Ended) => void) | null = null;
  /** Called for each refused message or connection. */
  onRefused: ((code: string) => void) | null = null;
  /** Octets of closed connections. */
  readonly closed = { read: 0, written: 0 };

  /** Follows the traffic of a server from now on. It can be called again. */
  follow(server: http.Server): void {
    listenForFinished();
    this.servers.add(server);
    if (this.followed.has(server)) return;
    this.followed.add(server);
    const own = Object.hasOwn(server, 'emit') ? (server.emit as Emit) : undefined;
    const isSecure = 'setSecureContext' in server;
    const seen = (event: string | symbol, args: unknown[]): void => this.seen(event, args, isSecure);
    const begin = (req: http.IncomingMessage, res: http.ServerResponse, again: boolean): boolean =>
      this.begin(req, res, again);
    const refusesUpgrade = (req: http.IncomingMessage, socket: Duplex): boolean => this.refusesUpgrade(req, socket);
    const closed = (): void => {
      this.servers.delete(server);
      this.onClosed?.();
    };
    const listens = (): void => this.onListening?.(server);
    const emit: Emit = function (event, ...args) {
      if (event === 'request' || event === 'checkContinue' || event === 'checkExpectation') {
        if (begin(args[0] as http.IncomingMessage, args[1] as http.ServerResponse, event !== 'request')) return true;
      } else {
        if (event === 'close') closed();
        if (event === 'listening') listens();
        if (event === 'upgrade' || event === 'connect') {
          if (refusesUpgrade(args[0] as http.IncomingMessage, args[1] as Duplex)) return true;
        }
        seen(event, args);
      }
      // Agents replace the method of the prototype, some of them later, so it is looked up at each call.
      return (own ?? (Object.getPrototypeOf(server) as { emit: Emit }).emit).call(this, event, ...args);
    };
    Object.defineProperty(server, 'emit', { value: emit, writable: true, configurable: true, enumerable: false });
  }

  /**
   * Handles a new request.
   *
   * @param comesAgain a listener of 'checkContinue' may emit 'request' for it, perhaps after the next request of its connection, or when the
   *   connection is closed
   * @returns whether it was refused, so that no handler may see it
   */
  private begin(req: http.IncomingMessage, res: http.ServerResponse, comesAgain: boolean): boolean {
    const held = this.heldOf(req);
    if (held === undefined) return false;
    held.comeAgain ||= comesAgain || held.session !== undefined;
    if (held.last === res || (held.comeAgain && (held.holds(res) || !this.connections.has(held)))) return false;
    const now = performance.now();
    // node's diagnostics channel does not report HTTP/2.
    if (held.session !== undefined) res.once('close', () => this.finishedStream(held, req, res));
    if (this.closing) held.closeAfter(res);
    if (this.endsSessions) held.endSession();
    held.add(req, res, now);
    this.inHand++;
    return this.gate !== null && this.gate.refuses(held, req, res, now);
  }

  /** @returns whether a limit refused it, so that no listener may see it. CONNECT of HTTP/2 has a stream for itself, and is not limited */
  private refusesUpgrade(req: http.IncomingMessage, socket: Duplex): boolean {
    if (this.gate === null || req.httpVersionMajor === 2) return false;
    return this.gate.refusesUpgrade(req, socket, performance.now());
  }

  private finishedStream(held: Held, req: http.IncomingMessage, res: http.ServerResponse): void {
    const start = held.take(res);
    // It was counted already, if its connection was closed.
    if (start === undefined) return;
    this.inHand--;
    this.gate?.leave(held, res);
    const { stream } = res as { stream?: { aborted: boolean; rstCode: number } };
    // A client may reset a stream whose answer it has, because it has not sent all of its request.
    const isSent = res.writableEnded && res.writableFinished;
    const aborted = stream === undefined || ((stream.aborted || stream.rstCode !== 0) && !isSent);
    this.onEnded?.({ req, res, held, start, aborted });
  }

  private hold(socket: Socket): Held {
    const held = holdOf(socket);
    this.connections.add(held);
    // node keeps an address once it was read, so the log has it even after the client has disconnected.
    if (this.onEnded !== null) void socket.remoteAddress;
    socket.once('close', () => this.lost(held));
    return held;
  }

  /** The connection of a request; undefined for one that a program emits without a connection, as adapters and tests do. */
  private heldOf(req: http.IncomingMessage): Held | undefined {
    const { socket } = req;
    if (typeof (socket as Partial<Socket> | undefined)?.destroy !== 'function') return undefined;
    return heldBy(socket) ?? this.holdLate(req);
  }

  /** Holds a connection that began before its server was followed. */
  private holdLate({
    socket,
    stream,
  }: http.IncomingMessage & { readonly stream?: { readonly session?: Session } }): Held {
    const session = stream?.session;
    if (session === undefined) return this.hold(socket);
    const held = this.hold(socketOfSession(session) ?? socket);
    held.session = session;
    return held;
  }

  /** Whether a server listens. */
  get listens(): boolean {
    return [...this.servers].some(({ listening }) => listening);
  }

  private opened(socket: Socket): void {
    if (heldBy(socket) === undefined) this.hold(socket);
  }

  private seen(event: string | symbol, args: unknown[], isSecure: boolean): void {
    switch (event) {
      case 'connection':
        // The program has given the socket of an upgraded connection to a server: it is a tunnel.
        heldBy(args[0] as Socket)?.carryHttp();
        if (isSecure) this.handshakes++;
        else this.opened(args[0] as Socket);
        break;
      case 'tlsClientError':
        this.handshakes--;
        break;
      case 'secureConnection':
        this.handshakes--;
        this.opened(args[0] as Socket);
        break;
      case 'session': {
        const session = args[0] as Session;
        const held = heldBy(session.socket);
        if (held !== undefined) held.session = session;
        break;
      }
      case 'upgrade':
      case 'connect': {
        const req = args[0] as http.IncomingMessage;
        const held = this.heldOf(req);
        if (held === undefined) break;
        if (held.session === undefined) held.upgrade(req.headers.upgrade ?? 'CONNECT');
        else held.addTunnel(req, args[1] as http.ServerResponse);
        break;
      }
      case 'clientError':
        this.onRefused?.((args[0] as { code?: string }).code ?? 'unknown');
        break;
      case 'dropRequest':
        this.onRefused?.('too many requests on a connection');
        break;
      case 'drop':
        this.onRefused?.('too many connections');
        break;
    }
  }

  /** The answer has been passed to the kernel. */
  finished({ request, response, socket }: Finished): void {
    // Not `request.socket`, which a handler may have replaced.
    const held = heldBy(socket);
    if (held === undefined) return;
    const start = held.take(response);
    // It was counted when its connection was closed.
    if (start === undefined && !this.connections.has(held)) return;
    if (start !== undefined) {
      this.inHand--;
      this.gate?.leave(held, response);
    }
    this.onEnded?.({ req: request, res: response, held, start, aborted: false });
  }

  /** A connection is closed, or was cut off. Further calls change nothing. */
  lost(held: Held): void {
    if (!this.connections.delete(held)) return;
    const { read, written } = held.octets();
    this.closed.read += read;
    this.closed.written += written;
    for (const { req, res, start } of held.inHand()) {
      held.take(res);
      this.inHand--;
      this.gate?.leave(held, res);
      this.onEnded?.({ req, res, held, start, aborted: true });
    }
  }
}

/** The traffic of this process. */
export const traffic: Traffic = perProcess('traffic', () => new Traffic());

let listening = false;

function listenForFinished(): void {
  if (listening) return;
  listening = true;
  const finished = (message: unknown): void => traffic.finished(message as Finished);
  subscribe('http.server.response.finish', withoutStore(finished));
}
