import http = require('node:http');
import type { Socket } from 'node:net';
import { monotonicNow, setRealTimeout } from '../../core/clock.js';
import type { HeadLimits } from '../../wire/limits.js';
import { maxHeadersCount } from '../request/fields.js';
import { FIELD_LINES_ARE_LIMITED } from '../../node/differences.js';
import { lookForTimers } from './observers.js';
import { Connection, NOWHERE, type ConnectionEngine } from '../connection/connection.js';
import { optimizesEmptyRequests, uniqueHeadersOf } from '../../node/http-servers.js';
import { IncomingMessage, putRequestDoors, requestClass } from '../request/class.js';
import type { EngineRequest, NodeServer } from '../message.js';
import { ServerResponse, putResponseDoors, responseClass } from '../response/class.js';
import { unifySocketOptions } from '../../node/sockets.js';

/** The prototypes of requests and responses that the engine makes for one server. */
export interface Prototypes {
  /** Must inherit from `IncomingMessage.prototype` of this package. */
  readonly request: object;
  /** Must inherit from `ServerResponse.prototype` of this package. */
  readonly response: object;
}

/**
 * node adds this to `keepAliveTimeout` before it closes, so that a client that respects the advertised time is never cut
 * off.
 */
const KEEP_ALIVE_BUFFER = 1000;
const LONGEST_TICK = 500;
const SHORTEST_TICK = 5;

/** The engine of one server: its connections, its message classes, and one ticker for all deadlines. */
export class Engine implements ConnectionEngine {
  readonly server: NodeServer;
  Request: ReturnType<typeof requestClass>;
  Response: ReturnType<typeof responseClass>;
  /** Whether its messages have given prototypes, such as an application's. */
  dressed = false;
  /** The listener on the server that replaces node's. */
  readonly listener: (socket: Socket) => void;
  /** The option `optimizeEmptyRequests` (Node 24 and later): a request without a body has no stream. */
  readonly optimizesEmpty: boolean;
  /** The option `uniqueHeaders`, as node stores it. */
  readonly uniqueHeaders: unknown;
  /** The number of ticks so far; a connection notes it when it becomes idle, which is cheaper than reading a clock. */
  tick = 0;

  /**
   * Each connection knows its place; removing one moves the last one there. A set was tried: its table is in old space
   * and keeps deleted entries alive, which cost 5 to 10 % without keep-alive, and 100 MB on Node 24.
   */
  private readonly connections: Connection[] = [];
  private timer: NodeJS.Timeout | undefined;
  private limits: HeadLimits = { octets: 0, lines: 0 };

  constructor(server: http.Server, prototypes?: Prototypes) {
    this.server = server;
    putDoorsOnce();
    this.uniqueHeaders = uniqueHeadersOf(server);
    this.optimizesEmpty = optimizesEmptyRequests(server);
    this.Request = requestClass(IncomingMessage.prototype);
    this.Response = responseClass(ServerResponse.prototype);
    if (prototypes !== undefined) this.dress(prototypes);
    this.listener = (socket) => this.serve(socket);
  }

  /** Sets the prototypes of all later messages. */
  dress({ request, response }: Prototypes): void {
    this.Request = requestClass(request);
    this.Response = responseClass(response);
    this.dressed = true;
  }

  /** Serves the HTTP connection on `socket` (any duplex stream). */
  serve(socket: Socket): void {
    this.open(socket);
  }

  /** Serves a connection that node has served so far. Nothing is under way on it. */
  serveIdle(socket: Socket): void {
    this.open(socket).beginIdle();
  }

  private open(socket: Socket): Connection {
    const connection = new Connection(this, socket);
    connection.moveTo(this.connections.push(connection) - 1);
    if (this.timer === undefined) this.arm();
    return connection;
  }

  remove(connection: Connection): void {
    const { connections } = this;
    const { place } = connection;
    if (place === NOWHERE) return;
    connection.moveTo(NOWHERE);
    const last = connections.pop()!;
    if (last === connection) return;
    connections[place] = last;
    last.moveTo(place);
  }

  closeAll(): void {
    for (const { socket } of this.connections.slice()) socket.destroy();
  }

  closeIdle(): void {
    for (const connection of this.connections.slice()) connection.closeIfIdle();
  }

  /** The current limits of a head: one object for all connections, until the server's settings change. */
  headLimits(): HeadLimits {
    const { server } = this;
    const lines = maxHeadersCount(server);
    const limited = FIELD_LINES_ARE_LIMITED && lines > 0;
    const octets = server.maxHeaderSize || http.maxHeaderSize;
    const most = limited ? lines : Number.POSITIVE_INFINITY;
    const { limits } = this;
    if (limits.octets === octets && limits.lines === most) return limits;
    return (this.limits = { octets, lines: most });
  }

  mayUpgrade(req: EngineRequest): boolean {
    if (req.method === 'CONNECT') return true;
    const { server } = this;
    // Node 24 and later call `shouldUpgradeCallback`; older versions check for a listener.
    return server.shouldUpgradeCallback !== undefined
      ? Boolean(server.shouldUpgradeCallback(req))
      : server.listenerCount('upgrade') > 0;
  }

  private arm(): void {
    lookForTimers();
    unifySocketOptions();
    const keepAlive = this.keepAliveLimit();
    const wanted = Math.max(Math.min(keepAlive === 0 ? LONGEST_TICK : keepAlive / 10, LONGEST_TICK), SHORTEST_TICK);
    // Deadlines are checked once in `connectionsCheckingInterval`, which has to be a whole number of ticks.
    const check = this.server.connectionsCheckingInterval ?? 30_000;
    this.ticksPerCheck = Math.max(Math.ceil(check / wanted), 1);
    this.period = Math.max(Math.ceil(check / this.ticksPerCheck), SHORTEST_TICK);
    this.timer = setRealTimeout(() => this.onTick(), this.period);
    this.timer.unref();
  }

  private period = LONGEST_TICK;
  private ticksPerCheck = 1;

  private keepAliveLimit(): number {
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = this.server;
    if (!(keepAliveTimeout > 0) || !Number.isFinite(keepAliveTimeout)) return 0;
    return keepAliveTimeout + (keepAliveTimeoutBuffer ?? KEEP_ALIVE_BUFFER);
  }

  private onTick(): void {
    this.timer = undefined;
    this.tick++;
    this.closeExpiredIdle();
    // As under node: a server that does not listen, or no longer, leaves its clients as much time as they need.
    if (this.server.listening && this.tick % this.ticksPerCheck === 0) this.checkDeadlines(monotonicNow());
    if (this.connections.length !== 0) this.arm();
  }

  private closeExpiredIdle(): void {
    const limit = this.keepAliveLimit();
    if (limit === 0) return;
    const ticks = Math.ceil(limit / this.period);
    for (const connection of this.connections.slice()) connection.clock.closeIdle(ticks);
  }

  private checkDeadlines(now: number): void {
    let headersTimeout = finite(this.server.headersTimeout);
    let requestTimeout = finite(this.server.requestTimeout);
    if (headersTimeout === 0 && requestTimeout === 0) return;
    // As in node, the longer one is the request's.
    if (requestTimeout > 0 && headersTimeout > requestTimeout) {
      [headersTimeout, requestTimeout] = [requestTimeout, headersTimeout];
    }
    for (const connection of this.connections.slice()) connection.checkDeadlines(now, headersTimeout, requestTimeout);
  }
}

let doorsArePut = false;

function putDoorsOnce(): void {
  if (doorsArePut) return;
  doorsArePut = true;
  putRequestDoors();
  putResponseDoors();
}

function finite(ms: number): number {
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
