import http = require('node:http');
import type { Socket } from 'node:net';
import { checkingInterval, monotonicNow, setOutsideTimeout } from '../../core/clock.js';
import type { HeadLimits } from '../../wire/limits.js';
import { incomingPrototype, outgoingPrototype } from '../../node/doors.js';
import { FIELD_LINES_ARE_LIMITED } from '../../node/nodes-parser.js';
import { lookForTimers } from './observers.js';
import { isFreeForRequests, isFreeForResponses } from './own-names.js';
import { Connection, NOWHERE, type ConnectionEngine } from '../connection/connection.js';
import type { MessageClasses } from '../connection/message-classes.js';
import { hasOwner } from '../connection/socket-listeners.js';
import {
  HAS_KEEP_ALIVE_BUFFER,
  HAS_UPGRADE_CALLBACK,
  optimizesEmptyRequests,
  uniqueHeadersOf,
} from '../../node/http-servers.js';
import { IncomingMessage, putRequestDoors, requestClass } from '../request/class.js';
import type { EngineRequest, NodeServer } from '../message.js';
import { ServerResponse, putResponseDoors, responseClass } from '../response/class.js';
import { unifySocketOptions } from '../../node/sockets.js';
import { isFirstListener } from '../../node/quiet-listeners.js';

/** The prototypes of requests and responses that the engine makes for one server. */
export interface Prototypes {
  /** Must inherit from `IncomingMessage.prototype` of this package. */
  readonly request: object;
  /** Must inherit from `ServerResponse.prototype` of this package. */
  readonly response: object;
  /**
   * The listener for `'request'` that they belong to: messages have these prototypes only while it is the first one, because others are to
   * find node's. Without it they always have them.
   */
  readonly listener?: unknown;
}

/**
 * node adds this to `keepAliveTimeout` before it closes, so that a client that respects the advertised time is never cut
 * off.
 */
const KEEP_ALIVE_BUFFER = 1000;
/** In ms, both. A tick is otherwise a tenth of the time after which idle connections are closed. */
const LONGEST_TICK = 500;
const SHORTEST_TICK = 5;

/** The engine of one server: its connections, its message classes, and one ticker for all deadlines. */
export class Engine implements ConnectionEngine {
  readonly server: NodeServer;
  /** The classes of messages with node's methods only. */
  readonly plain: MessageClasses;
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
  private given: MessageClasses | undefined;
  /** The listener whose messages have the given prototypes. */
  private owner: unknown;
  private timer: NodeJS.Timeout | undefined;
  /** The time from one tick to the next, in ms. */
  private period = LONGEST_TICK;
  /** After this many ticks the deadlines of messages are checked. */
  private ticksPerCheck = 1;
  /** Connections that were to be closed may still send answers. */
  private hasClosedIdle = false;
  private limits: HeadLimits = { octets: 0, lines: 0 };

  constructor(server: http.Server, prototypes?: Prototypes) {
    this.server = server;
    putDoorsOnce();
    this.uniqueHeaders = uniqueHeadersOf(server);
    this.optimizesEmpty = optimizesEmptyRequests(server);
    this.plain = {
      Request: requestClass(IncomingMessage.prototype),
      Response: responseClass(ServerResponse.prototype),
    };
    if (prototypes !== undefined) this.setPrototypes(prototypes);
    this.listener = (socket) => this.serve(socket);
  }

  /** Sets the prototypes of all later messages. */
  setPrototypes({ request, response, listener }: Prototypes): void {
    // Otherwise the application changes their prototypes itself, when they have all of node's members: these are in front of its own then.
    const isFree = isFreeForRequests(request) && isFreeForResponses(response);
    this.given = isFree ? { Request: requestClass(request), Response: responseClass(response) } : this.plain;
    this.owner = listener;
  }

  /** Whether its messages have given prototypes, such as an application's. */
  get hasPrototypes(): boolean {
    return this.given !== undefined;
  }

  classes(): MessageClasses {
    const { given, owner } = this;
    if (given === undefined) return this.plain;
    return owner === undefined || isFirstListener(this.server, 'request', owner) ? given : this.plain;
  }

  /**
   * Serves the HTTP connection on `socket` (any duplex stream). As under node, the first server keeps a socket that a program passes to two:
   * with the listeners of both, each request would be handled twice.
   */
  serve(socket: Socket): void {
    if (!hasOwner(socket)) this.open(socket, false);
  }

  /** Serves a connection that node has served so far. Nothing is under way on it. */
  serveIdle(socket: Socket): void {
    this.open(socket, true).beginIdle();
  }

  private open(socket: Socket, wasNodes: boolean): Connection {
    const connection = new Connection(this, socket, wasNodes);
    connection.place = this.connections.push(connection) - 1;
    if (this.timer === undefined) this.arm();
    return connection;
  }

  remove(connection: Connection): void {
    const { connections } = this;
    const { place } = connection;
    if (place === NOWHERE) return;
    connection.place = NOWHERE;
    const last = connections.pop()!;
    if (last === connection) return;
    connections[place] = last;
    last.place = place;
  }

  closeAll(): void {
    for (const { socket } of this.connections.slice()) socket.destroy();
  }

  closeIdle(): void {
    this.hasClosedIdle = true;
    for (const connection of this.connections.slice()) connection.closeIfIdle();
  }

  /** The current limits of a head: one object for all connections, until the server's settings change. */
  headLimits(lines: number): HeadLimits {
    const { server } = this;
    const limited = FIELD_LINES_ARE_LIMITED && lines > 0;
    const octets = server.maxHeaderSize || http.maxHeaderSize;
    const most = limited ? lines : Number.POSITIVE_INFINITY;
    const { limits } = this;
    if (limits.octets === octets && limits.lines === most) return limits;
    return (this.limits = { octets, lines: most });
  }

  /** Says so on the request, too. */
  decideUpgrade(req: EngineRequest): boolean {
    // As under node, `shouldUpgradeCallback` sees what the client asks for.
    req.upgrade = true;
    if (req.method === 'CONNECT') return true;
    const { server } = this;
    // A Node without this callback checks for a listener.
    return (req.upgrade =
      HAS_UPGRADE_CALLBACK && server.shouldUpgradeCallback !== undefined
        ? Boolean(server.shouldUpgradeCallback(req))
        : server.listenerCount('upgrade') > 0);
  }

  private arm(): void {
    lookForTimers();
    unifySocketOptions();
    const keepAlive = this.keepAliveLimit();
    const wanted = Math.max(Math.min(keepAlive === 0 ? LONGEST_TICK : keepAlive / 10, LONGEST_TICK), SHORTEST_TICK);
    // Deadlines are checked once in `connectionsCheckingInterval`, which has to be a whole number of ticks.
    const check = checkingInterval(this.server.connectionsCheckingInterval);
    this.ticksPerCheck = Math.max(Math.ceil(check / wanted), 1);
    this.period = Math.max(Math.ceil(check / this.ticksPerCheck), SHORTEST_TICK);
    this.timer = setOutsideTimeout(() => this.onTick(), this.period);
    this.timer.unref();
  }

  private keepAliveLimit(): number {
    const { keepAliveTimeout, keepAliveTimeoutBuffer: buffer = KEEP_ALIVE_BUFFER } = this.server;
    if (!(keepAliveTimeout > 0) || !Number.isFinite(keepAliveTimeout)) return 0;
    const isUsed = HAS_KEEP_ALIVE_BUFFER && Number.isFinite(buffer) && buffer >= 0;
    return keepAliveTimeout + (isUsed ? buffer : KEEP_ALIVE_BUFFER);
  }

  private onTick(): void {
    this.timer = undefined;
    this.tick++;
    try {
      if (this.hasClosedIdle) this.closeStuck();
      this.closeExpiredIdle();
      // As under node: a server that does not listen, or no longer, leaves its clients as much time as they need.
      if (this.server.listening && this.tick % this.ticksPerCheck === 0) this.checkDeadlines(monotonicNow());
    } finally {
      // Also if a listener of the program's throws, and the process goes on: the other connections keep their deadlines.
      if (this.connections.length !== 0 && this.timer === undefined) this.arm();
    }
  }

  /**
   * Closes connections whose answers are ended but not finished although the socket has nothing left to send. In a timer nothing is under way
   * any more: a callback or a listener of the program has thrown, and what it was called from does not go on.
   */
  private closeStuck(): void {
    for (const { isIdle, turns, socket } of this.connections.slice()) {
      if (isIdle && turns.last !== null && socket.writableLength === 0) socket.destroy();
    }
  }

  private closeExpiredIdle(): void {
    const limit = this.keepAliveLimit();
    if (limit === 0) return;
    const ticks = Math.ceil(limit / this.period);
    for (const { clock, reading } of this.connections.slice()) {
      // Its listeners find the connection's store: the timer belongs to none.
      if (clock.isExpired(ticks)) reading.enterContext(() => clock.closeExpired());
    }
  }

  private checkDeadlines(now: number): void {
    let headersTimeout = wholeMs(this.server.headersTimeout);
    let requestTimeout = wholeMs(this.server.requestTimeout);
    if (headersTimeout === 0 && requestTimeout === 0) return;
    // As in node, the longer one is the request's.
    if (requestTimeout > 0 && headersTimeout > requestTimeout) {
      [headersTimeout, requestTimeout] = [requestTimeout, headersTimeout];
    }
    for (const connection of this.connections.slice()) connection.checkDeadlines(now, headersTimeout, requestTimeout);
  }
}

let doorsArePut = false;

/** Whether node's prototypes take the doors: a program may have frozen them. */
export const takesDoors = (): boolean =>
  doorsArePut || (Object.isExtensible(incomingPrototype) && Object.isExtensible(outgoingPrototype));

function putDoorsOnce(): void {
  if (doorsArePut) return;
  doorsArePut = true;
  putRequestDoors();
  putResponseDoors();
}

/** As node's C++ code converts it: less than a millisecond is none. */
function wholeMs(ms: number): number {
  return Number.isFinite(ms) && ms > 0 ? Math.trunc(ms) : 0;
}
