import type https = require('node:https');
import http = require('node:http');
import type { Socket } from 'node:net';
import { define } from '../../core/define-own.js';
import { onFirstUse } from '../../core/lazy.js';
import { sharedOn } from '../../core/shared.js';
import { IS_OTHER_RUNTIME, NODE_IS_TOO_OLD } from '../../node/differences.js';
import { askParser, PARSER_IS_LENIENT } from '../../node/nodes-parser.js';
import { KNOWN_METHODS } from '../../wire/methods.js';
import { tellDecision, type Acceleration, type LeftReason } from './acceleration.js';
import { REASONS_TO_LEAVE } from '../../node/unknown-node.js';
import { hasClass, hasUnknownOption, nodeListener } from '../../node/http-servers.js';
import { putListener } from '../../node/quiet-listeners.js';
import { IncomingMessage } from '../request/class.js';
import { ServerResponse } from '../response/class.js';
import { Engine, takesDoors, type Prototypes } from './engine.js';
import { chosenByEnvironment } from './engine-switch.js';
import type { NodeServer } from '../message.js';
import { NodeHttpServer, NodeRequest, NodeResponse } from '../../node/classes.js';

export type { Prototypes } from './engine.js';

const kEngine: unique symbol = Symbol('nonstop.engine');

interface OwnedServer extends NodeServer {
  /** The engine of the server, or the reason why node serves it. */
  [kEngine]?: Engine | LeftReason;
}

type Listener = (this: http.Server, socket: Socket) => void;

/**
 * Takes over the connections that `server` accepts from now on: the engine parses and responds, while the server stays
 * the same object and still emits `'request'`.
 *
 * node keeps serving a server that has its own message classes, a lenient parser, or no listener of node's to replace,
 * and every server while `NONSTOP_ENGINE` is `node`. It can be called again.
 *
 * @param prototypes the prototypes of requests and responses; until a call gives some, those of this package's classes
 * @returns whether the engine serves the server's connections now
 */
export function accelerate(server: http.Server, prototypes?: Prototypes): boolean {
  const owned = server as OwnedServer;
  const { [kEngine]: state } = owned;
  if (state !== undefined) {
    if (typeof state === 'string') return false;
    if (prototypes !== undefined && !state.hasPrototypes) state.setPrototypes(prototypes);
    return true;
  }
  const reason = reasonToLeave(owned);
  if (reason === undefined) install(owned, new Engine(server, prototypes));
  else leaveFor(owned, reason);
  return reason === undefined;
}

function install(server: OwnedServer, engine: Engine): void {
  decide(server, engine);
  engines.set(server, engine);
  replaceListener(server, placeholderOn(server)!, engine.listener);
  if (isHttps(server)) extendClosing(nodeHttps().Server.prototype);
  tellDecision(server, undefined);
}

function leaveFor(server: OwnedServer, reason: LeftReason): void {
  decide(server, reason);
  const placeholder = isGenuine(server) ? placeholderOn(server) : undefined;
  if (placeholder === gate) replaceListener(server, gate, nodeListener);
  tellDecision(server, reason);
}

/** Not enumerable: who looks at a server finds what node stores there. */
function decide(server: OwnedServer, state: Engine | LeftReason): void {
  define(server, kEngine, { value: state, configurable: true, writable: true });
}

/** Whether the engine serves the connections that `server` accepts, and why not if it does not. */
export function explainAcceleration(server: http.Server): Acceleration {
  const state = (server as OwnedServer)[kEngine];
  if (typeof state !== 'object')
    return { accelerated: false, reason: state ?? (isGenuine(server) ? 'not-asked' : 'not-a-server') };
  // The engine's listener may have been removed since.
  const accelerated = (server.listeners(eventOf(server)) as unknown[]).includes(state.listener);
  return { accelerated, reason: accelerated ? undefined : 'listener-replaced' };
}

/** Whether the engine serves the connections that `server` accepts. */
export function isAccelerated(server: http.Server): boolean {
  return explainAcceleration(server).accelerated;
}

/** Whether `server` is decided: node serves it for good, or its messages have given prototypes. */
export function isDecided(server: http.Server): boolean {
  const { [kEngine]: state } = server as OwnedServer;
  return typeof state === 'object' ? state.hasPrototypes : state !== undefined;
}

/** The engine that serves the connections that `server` accepts; undefined while it is node. */
export function engineOf(server: http.Server): Engine | undefined {
  return isAccelerated(server) ? ((server as OwnedServer)[kEngine] as Engine) : undefined;
}

/** Leaves `server` to node for good. If the engine serves it, this applies to later connections. */
export function leaveToNode(server: http.Server): void {
  const owned = server as OwnedServer;
  const state = owned[kEngine];
  if (typeof state === 'string') return;
  if (state !== undefined) replaceListener(server, state.listener, nodeListener);
  leaveFor(owned, 'switched-off');
}

/**
 * Replaces node's listener on a server until its first connection, which decides who serves it: a server can get
 * connections without listening.
 */
function gate(this: http.Server, socket: Socket): void {
  accelerate(this);
  const { [kEngine]: state } = this as OwnedServer;
  const listener = typeof state === 'object' ? state.listener : nodeListener;
  listener.call(this, socket);
}

/** The listener to add for `listener`: the gate instead of node's own, if the server is not decided yet. */
export function gated(listener: unknown): unknown {
  return listener !== undefined && listener === nodeListener ? gate : listener;
}

let unusable = false;

/** Stops all takeovers: another copy's engine serves the process, and this copy cannot use it. */
export function makeUnusable(): void {
  unusable = true;
}

/** Whether node's parser accepts a method that this package's refuses. */
const HAS_NEW_METHODS =
  !IS_OTHER_RUNTIME &&
  http.METHODS.some(
    (method) => !KNOWN_METHODS.has(method) && askParser(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`) !== undefined,
  );

function reasonToLeave(server: OwnedServer): LeftReason | undefined {
  if (!isGenuine(server)) return 'not-a-server';
  const reason = reasonAgainst(server);
  if (reason !== undefined) return reason;
  if (placeholderOn(server) === undefined) return 'listener-replaced';
  if (hasUnknownOption(server)) return 'unknown-node';
  if (!hasClass(server, 'IncomingMessage', NodeRequest, IncomingMessage)) return 'message-classes';
  if (!hasClass(server, 'ServerResponse', NodeResponse, ServerResponse)) return 'message-classes';
  return undefined;
}

/** Why the engine does not serve HTTP/1 on a server of any kind, such as one of HTTP/2 that has both; undefined if it may. */
export function reasonAgainst(server: NodeServer): LeftReason | undefined {
  if (unusable) return 'older-copy';
  if (IS_OTHER_RUNTIME) return 'other-runtime';
  if (NODE_IS_TOO_OLD) return 'old-node';
  if (REASONS_TO_LEAVE.length !== 0 || HAS_NEW_METHODS || isClosingFrozen || !takesDoors()) return 'unknown-node';
  if (chosenByEnvironment() === 'node') return 'switched-off';
  if (server.insecureHTTPParser ?? PARSER_IS_LENIENT) return 'lenient-parser';
  if (server.httpValidation !== undefined && server.httpValidation !== 'strict') return 'lenient-parser';
  return undefined;
}

/** The listener of a server that the takeover would replace. */
function placeholderOn(server: http.Server): Listener | undefined {
  const listeners = server.listeners(eventOf(server)) as Listener[];
  return [nodeListener, gate].find((listener) => listeners.includes(listener));
}

/** In the place of the old one: most listeners of a program's get the socket after the protocol does, those that it has put in front before. */
function replaceListener(server: http.Server, old: Listener, listener: Listener): void {
  putListener(server, eventOf(server), old, listener);
}

function eventOf(server: http.Server): string {
  return isHttps(server) ? 'secureConnection' : 'connection';
}

/** Whether this is a server of node's `http` or `https`, or of a subclass. */
export function isGenuine(server: unknown): server is http.Server {
  return server instanceof NodeHttpServer || isHttps(server);
}

const nodeHttps = onFirstUse(() => require('node:https') as typeof https);

/** Loading `node:https` costs 2 ms. An `https.Server` means that it is already loaded. */
function isHttps(server: unknown): boolean {
  const mayBe = typeof server === 'object' && server !== null && 'setSecureContext' in server;
  return mayBe && server instanceof nodeHttps().Server;
}

/** A program has frozen node's prototypes before: `close()` would not reach an engine's connections. */
let isClosingFrozen = false;

type Closing = (this: http.Server) => void;
type ClosingMethods = Record<'closeAllConnections' | 'closeIdleConnections', Closing>;

/** What all copies of this package share: each would keep the one before it alive, with the application that a test runner has thrown away. */
interface SharedClosing {
  /** The engines of servers, also of those that were left to node later and still have connections of the engine. */
  readonly engines: WeakMap<http.Server, Pick<Engine, 'closeAll' | 'closeIdle'>>;
  /** The methods that were put on node's prototypes, where they also reach the connections of an engine. */
  readonly extended: WeakSet<Closing>;
}

// On node's prototype: Jest gives each test file its own `process`.
const { engines, extended } = sharedOn(NodeHttpServer.prototype, 'closing', (): SharedClosing => ({
  engines: new WeakMap(),
  extended: new WeakSet(),
}));

/**
 * Has the methods of a prototype of node's that close connections also reach those of an engine. On the prototype, because subclasses
 * override these methods, agents replace them, and programs call them there. `https` copies them from `http` when it is loaded.
 */
function extendClosing(prototype: object): void {
  const methods = prototype as ClosingMethods;
  const { closeAllConnections, closeIdleConnections } = methods;
  const own: ClosingMethods = {
    closeAllConnections() {
      closeAllConnections.call(this);
      engines.get(this)?.closeAll();
    },
    closeIdleConnections() {
      closeIdleConnections.call(this);
      engines.get(this)?.closeIdle();
    },
  };
  for (const name of ['closeAllConnections', 'closeIdleConnections'] as const) {
    if (extended.has(methods[name])) continue;
    extended.add(own[name]);
    if (!Reflect.set(methods, name, own[name])) isClosingFrozen = true;
  }
}

extendClosing(NodeHttpServer.prototype);
