import { subscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import type { Socket } from 'node:net';
import { perProcess } from '../core/shared.js';
import { Held, heldBy, holdOf } from './held.js';
import type { Gate } from './overload.js';

type Emit = (this: http.Server, event: string | symbol, ...args: unknown[]) => boolean;

/** One request whose answer is over. */
export interface Ended {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  readonly held: Held;
  /** Milliseconds of `performance.now()` at which it came; undefined where the server answered by itself. */
  readonly start: number | undefined;
  /** The connection was gone before the answer was out. */
  readonly aborted: boolean;
}

interface Finished {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly socket: Socket | null;
}

/**
 * All that goes through the HTTP servers of a process: their connections, and the requests that these have in hand. It knows them by
 * what servers emit and by node's diagnostics channel, so that it is the same for servers of node's and of the engine.
 */
export class Traffic {
  readonly servers = new Set<http.Server>();
  readonly connections = new Set<Held>();
  /** Requests under way. */
  inHand = 0;
  /** Refuses requests before any handler runs; null where there are no limits. */
  gate: Gate | null = null;
  /** Answers say `Connection: close`. */
  closing = false;
  /** Called for each request whose answer is over. */
  onEnded: ((ended: Ended) => void) | null = null;
  /** Called for what is no request: a message that was refused, or one too many on its connection. */
  onRefused: ((code: string) => void) | null = null;
  /** Octets of connections that are closed. */
  readonly closed = { read: 0, written: 0 };

  /** Follows what a server has to do from now on. Safe to call again. */
  follow(server: http.Server): void {
    if (this.servers.has(server)) return;
    if (this.servers.size === 0) listenForFinished();
    this.servers.add(server);
    const own = Object.hasOwn(server, 'emit') ? (server.emit as Emit) : undefined;
    const isSecure = 'setSecureContext' in server;
    const seen = (event: string | symbol, args: unknown[]): void => this.seen(event, args, isSecure);
    const begin = (req: http.IncomingMessage, res: http.ServerResponse): boolean => this.begin(req, res);
    const emit: Emit = function (event, ...args) {
      if (event === 'request' && begin(args[0] as http.IncomingMessage, args[1] as http.ServerResponse)) return true;
      if (event !== 'request') seen(event, args);
      // Agents replace the method of the prototype, some after this: it is looked up at each call.
      return (own ?? (Object.getPrototypeOf(server) as { emit: Emit }).emit).call(this, event, ...args);
    };
    Object.defineProperty(server, 'emit', { value: emit, writable: true, configurable: true, enumerable: false });
  }

  /** A request has come. @returns whether it was refused, and no handler may see it */
  private begin(req: http.IncomingMessage, res: http.ServerResponse): boolean {
    const held = heldBy(req.socket) ?? this.hold(req.socket);
    // A listener of 'checkContinue' has it emitted once more.
    if (held.last === res) return false;
    const now = performance.now();
    if (this.closing) held.closeAfter(res);
    held.add(req, res, now);
    this.inHand++;
    return this.gate !== null && this.gate.refuses(held, req, res, now);
  }

  private hold(socket: Socket): Held {
    const held = holdOf(socket);
    this.connections.add(held);
    socket.once('close', () => this.lost(held));
    return held;
  }

  private seen(event: string | symbol, args: unknown[], isSecure: boolean): void {
    switch (event) {
      case isSecure ? 'secureConnection' : 'connection':
        if (heldBy(args[0] as Socket) === undefined) this.hold(args[0] as Socket);
        break;
      case 'checkContinue':
      case 'checkExpectation':
        // Counted only: what is refused here would have to be kept from more than one event.
        this.begin(args[0] as http.IncomingMessage, args[1] as http.ServerResponse);
        break;
      case 'upgrade':
      case 'connect': {
        const held = heldBy((args[0] as http.IncomingMessage).socket);
        if (held !== undefined) held.upgraded = (args[0] as http.IncomingMessage).headers.upgrade ?? 'CONNECT';
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

  /** An answer is the kernel's. */
  finished({ request, response, socket }: Finished): void {
    const held = heldBy(request.socket ?? socket);
    if (held === undefined) return;
    const start = held.take(response);
    if (start !== undefined) {
      this.inHand--;
      this.gate?.leave(held);
    }
    this.onEnded?.({ req: request, res: response, held, start, aborted: false });
  }

  private lost(held: Held): void {
    this.connections.delete(held);
    this.closed.read += held.socket.bytesRead;
    this.closed.written += held.socket.bytesWritten;
    for (const { req, res, start } of held.inHand()) {
      held.take(res);
      this.inHand--;
      this.gate?.leave(held);
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
  subscribe('http.server.response.finish', (message) => traffic.finished(message as Finished));
}
