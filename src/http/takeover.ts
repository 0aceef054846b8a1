import http = require('node:http');
import type https = require('node:https');
import type { Socket } from 'node:net';
import { lazy } from '../core/lazy.js';
import type { NodeServer } from './messages.js';
import { Engine, type Prototypes } from './engine.js';

export type { Prototypes } from './engine.js';

const kEngine: unique symbol = Symbol('nonstop.engine');

interface OwnedServer extends NodeServer {
  [kEngine]?: Engine | null;
}

type Listener = (socket: Socket) => void;

// The one listener of node's own that the takeover replaces, found on a server that nobody has touched.
const nodeListener = new http.Server().listeners('connection')[0] as Listener;

/**
 * Takes over the connections that `server` will accept from now on: parsing and answering are the engine's, while the
 * object stays the genuine server that everybody holds, and `'request'` is still what it emits.
 *
 * A server is left to node, and stays fully served by it, when it has message classes of its own, a lenient parser, or no
 * listener of node's that could be replaced. Safe to call again.
 *
 * @param prototypes what requests and responses inherit from; without it, from this package's own classes
 * @returns whether the engine serves the server's connections now
 */
export function accelerate(server: http.Server, prototypes?: Prototypes): boolean {
  const owned = server as OwnedServer;
  if (owned[kEngine] !== undefined) return owned[kEngine] !== null;
  const event = isHttps(server) ? 'secureConnection' : 'connection';
  if (!mayTakeOver(owned, event)) {
    owned[kEngine] = null;
    return false;
  }
  const engine = new Engine(server, prototypes);
  owned[kEngine] = engine;
  // At the head of the list, where node's stood: listeners of the user's see the socket after the protocol does.
  server.removeListener(event, nodeListener);
  server.prependListener(event, (socket: Socket) => engine.serve(socket));
  extendClosing(owned, engine);
  return true;
}

/** Whether `server` has been looked at already, taken over or not: one property read for the caller's hot path. */
export function isSettled(server: http.Server): boolean {
  return (server as OwnedServer)[kEngine] !== undefined;
}

/** Leaves `server` to node for good. */
export function leaveToNode(server: http.Server): void {
  (server as OwnedServer)[kEngine] ??= null;
}

function mayTakeOver(server: OwnedServer, event: string): boolean {
  if (!isGenuine(server)) return false;
  if (server.insecureHTTPParser === true || lenientByFlag()) return false;
  if (server.httpValidation !== undefined && server.httpValidation !== 'strict') return false;
  if (!(server.listeners(event) as unknown[]).includes(nodeListener)) return false;
  return (
    hasClass(server, 'IncomingMessage', http.IncomingMessage) && hasClass(server, 'ServerResponse', http.ServerResponse)
  );
}

function isGenuine(server: unknown): boolean {
  return server instanceof http.Server || isHttps(server);
}

const nodeHttps = lazy(() => require('node:https') as typeof https);

/** Whoever has made a server of `node:https` has loaded that already: 2 ms that nobody else has to spend. */
function isHttps(server: unknown): boolean {
  const mayBe = typeof server === 'object' && server !== null && 'setSecureContext' in server;
  return mayBe && server instanceof nodeHttps().Server;
}

function lenientByFlag(): boolean {
  const flag = '--insecure-http-parser';
  return process.execArgv.includes(flag) || (process.env.NODE_OPTIONS ?? '').includes(flag);
}

/** node keeps the classes of a server's messages under symbols with these descriptions. */
function hasClass(server: object, description: string, expected: unknown): boolean {
  const symbol = Object.getOwnPropertySymbols(server).find((own) => own.description === description);
  return symbol === undefined || (server as Record<symbol, unknown>)[symbol] === expected;
}

/** The connections that were accepted before the takeover are node's; `close*()` must reach both kinds. */
function extendClosing(server: OwnedServer, engine: Engine): void {
  const { closeAllConnections, closeIdleConnections } = server;
  define(server, 'closeAllConnections', () => {
    closeAllConnections.call(server);
    engine.closeAll();
  });
  define(server, 'closeIdleConnections', () => {
    closeIdleConnections.call(server);
    engine.closeIdle();
  });
}

function define(server: object, name: string, value: () => void): void {
  Object.defineProperty(server, name, { value, writable: true, enumerable: false, configurable: true });
}
