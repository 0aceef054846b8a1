import type https = require('node:https');
import type http = require('node:http');
import type { Socket } from 'node:net';
import { lazy } from '../../core/lazy.js';
import { IS_OTHER_RUNTIME, NODE_IS_TOO_OLD } from '../../node/differences.js';
import { tellDecision, type Acceleration, type LeftReason } from './acceleration.js';
import { UNKNOWN_STATE } from '../../node/message-state.js';
import { valueUnder } from '../../node/symbols.js';
import { Engine, type Prototypes } from './engine.js';
import { chosenByEnvironment } from './engine-switch.js';
import type { NodeServer } from '../message.js';
import { NodeHttpServer, NodeRequest, NodeResponse } from '../../node/classes.js';

export type { Prototypes } from './engine.js';

const kEngine: unique symbol = Symbol('nonstop.engine');

interface OwnedServer extends NodeServer {
  /** What serves it; or, once that is decided, why it is node. */
  [kEngine]?: Engine | LeftReason;
}

type Listener = (this: http.Server, socket: Socket) => void;

// The one listener of node's own that the takeover replaces, found on a server that nobody has touched.
const nodeListener = new NodeHttpServer().listeners('connection')[0] as Listener;

/**
 * Takes over the connections that `server` will accept from now on: parsing and answering are the engine's, while the
 * object stays the genuine server that everybody holds, and `'request'` is still what it emits.
 *
 * A server is left to node, and stays fully served by it, when it has message classes of its own, a lenient parser, or no
 * listener of node's that could be replaced, and while `NONSTOP_ENGINE` is `node`. Safe to call again.
 *
 * @param prototypes what requests and responses inherit from; without it, until a call gives some, from this package's own classes
 * @returns whether the engine serves the server's connections now
 */
export function accelerate(server: http.Server, prototypes?: Prototypes): boolean {
  const owned = server as OwnedServer;
  const { [kEngine]: state } = owned;
  if (state !== undefined) {
    if (typeof state === 'string') return false;
    if (prototypes !== undefined && !state.dressed) state.dress(prototypes);
    return true;
  }
  const reason = reasonToLeave(owned);
  if (reason === undefined) install(owned, new Engine(server, prototypes));
  else leaveFor(owned, reason);
  return reason === undefined;
}

function install(server: OwnedServer, engine: Engine): void {
  server[kEngine] = engine;
  replaceListener(server, placeholderOn(server)!, engine.listener);
  extendClosing(server, engine);
  tellDecision(server, undefined);
}

function leaveFor(server: OwnedServer, reason: LeftReason): void {
  server[kEngine] = reason;
  const placeholder = isGenuine(server) ? placeholderOn(server) : undefined;
  if (placeholder === gate) replaceListener(server, gate, nodeListener);
  tellDecision(server, reason);
}

/** Whether the engine serves the connections that `server` accepts, and why not if it does not. */
export function explainAcceleration(server: http.Server): Acceleration {
  const state = (server as OwnedServer)[kEngine];
  if (typeof state !== 'object')
    return { accelerated: false, reason: state ?? (isGenuine(server) ? 'not-asked' : 'not-a-server') };
  // Another may have taken the engine's listener away since.
  const accelerated = (server.listeners(eventOf(server)) as unknown[]).includes(state.listener);
  return { accelerated, reason: accelerated ? undefined : 'listener-replaced' };
}

/** Whether the engine serves the connections that `server` accepts. */
export function isAccelerated(server: http.Server): boolean {
  return explainAcceleration(server).accelerated;
}

/** Whether nothing is left to decide for `server`: it is node's for good, or its messages have somebody's prototypes. */
export function isSettled(server: http.Server): boolean {
  const { [kEngine]: state } = server as OwnedServer;
  return typeof state === 'object' ? state.dressed : state !== undefined;
}

/** The engine that serves the connections that `server` accepts; undefined while it is node. */
export function engineOf(server: http.Server): Engine | undefined {
  const { [kEngine]: state } = server as OwnedServer;
  return typeof state === 'object' && isAccelerated(server) ? state : undefined;
}

/** Leaves `server` to node for good: where the engine has it, the connections that come from now on. */
export function leaveToNode(server: http.Server): void {
  const owned = server as OwnedServer;
  const state = owned[kEngine];
  if (typeof state === 'string') return;
  if (state !== undefined) replaceListener(server, state.listener, nodeListener);
  leaveFor(owned, 'switched-off');
}

/**
 * Stands on a server in the place of node's listener until its first connection comes, which decides for the server: a server may be
 * given connections without listening anywhere.
 */
function gate(this: http.Server, socket: Socket): void {
  accelerate(this);
  const { [kEngine]: state } = this as OwnedServer;
  const listener = typeof state === 'object' ? state.listener : nodeListener;
  listener.call(this, socket);
}

/** What is put on a server for `listener`: the gate for node's own, for which a server has not been decided yet. */
export function gated(listener: unknown): unknown {
  return listener === nodeListener ? gate : listener;
}

let unusable = false;

/** From now on no server is taken over: the engine of another copy has the process, and this copy cannot use it. */
export function makeUnusable(): void {
  unusable = true;
}

function reasonToLeave(server: OwnedServer): LeftReason | undefined {
  if (!isGenuine(server)) return 'not-a-server';
  if (unusable) return 'older-copy';
  if (IS_OTHER_RUNTIME) return 'other-runtime';
  if (NODE_IS_TOO_OLD) return 'old-node';
  if (UNKNOWN_STATE.length !== 0) return 'unknown-node';
  if (chosenByEnvironment() === 'node') return 'switched-off';
  if (server.insecureHTTPParser === true || lenientByFlag()) return 'lenient-parser';
  if (server.httpValidation !== undefined && server.httpValidation !== 'strict') return 'lenient-parser';
  if (placeholderOn(server) === undefined) return 'listener-replaced';
  if (!hasClass(server, 'IncomingMessage', NodeRequest)) return 'message-classes';
  if (!hasClass(server, 'ServerResponse', NodeResponse)) return 'message-classes';
  return undefined;
}

/** The listener on a server that is not the engine's yet which would be replaced by the engine's. */
function placeholderOn(server: http.Server): Listener | undefined {
  const listeners = server.listeners(eventOf(server)) as Listener[];
  return [nodeListener, gate].find((listener) => listeners.includes(listener));
}

/** At the head of the list, where node's stood: listeners of the user's see the socket after the protocol does. */
function replaceListener(server: http.Server, old: Listener, listener: Listener): void {
  const event = eventOf(server);
  server.removeListener(event, old);
  server.prependListener(event, listener);
}

function eventOf(server: http.Server): string {
  return isHttps(server) ? 'secureConnection' : 'connection';
}

/** A server of node's `http` or `https`, or of a class that inherits from one. */
export function isGenuine(server: unknown): server is http.Server {
  return server instanceof NodeHttpServer || isHttps(server);
}

const nodeHttps = lazy(() => require('node:https') as typeof https);

/** Loading `node:https` costs 2 ms; where there is an `https.Server` it is loaded already. */
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
  const found = valueUnder(server, description);
  return found === undefined || found === expected;
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
