import cluster from 'node:cluster';
import { errorMonitor } from 'node:events';
import http from 'node:http';
import type https from 'node:https';
import net from 'node:net';
import { onFirstUse } from '../core/lazy.js';
import { sharedSymbol } from '../core/shared.js';
import { host } from '../http/host.js';
import { serverMethods } from '../node/classes.js';
import { ProductionError, listenError, notReady } from './errors.js';
import { lifecycle, messageOf, runChecks } from './lifecycle.js';
import type { Settings } from './options.js';
import { traffic } from './traffic.js';

const nodeHttps = onFirstUse(() => require('node:https') as typeof https);

function isHttpServer(value: unknown): value is http.Server {
  if (value instanceof http.Server) return true;
  // Only servers of node:http2 have this method. Most applications never load that module.
  if (value instanceof net.Server && 'updateSettings' in value) return true;
  return value instanceof net.Server && 'setSecureContext' in value && value instanceof nodeHttps().Server;
}

/** On node's `listen()`: servers that were told to listen and do not yet, because the system looks up a name, or `node:cluster` asks its first process. */
const kTold: unique symbol = sharedSymbol('told') as never;

interface Listen {
  [kTold]?: WeakSet<net.Server>;
}

let told = new WeakSet<net.Server>();

/** From now on the servers of this process that are told to listen are known. */
export function noteListening(): void {
  const { listen } = serverMethods;
  // Test runners load this file again for each file of theirs, in one process.
  const { [kTold]: before } = listen as Listen;
  if (before !== undefined) {
    told = before;
    return;
  }
  const noting: typeof listen & Listen = function (this: net.Server, ...args: unknown[]) {
    told.add(this);
    const over = (): void => {
      told.delete(this);
      for (const event of ENDS_OF_LISTENING) this.removeListener(event, over);
    };
    for (const event of ENDS_OF_LISTENING) this.on(event, over);
    try {
      return listen.apply(this, args);
    } catch (error) {
      over();
      throw error;
    }
  };
  noting[kTold] = told;
  serverMethods.listen = noting;
}

/** Not 'error' itself: a listener for it would take the error from the program. */
const ENDS_OF_LISTENING = ['listening', 'close', errorMonitor] as string[];

/** Follows a server that is about to listen. */
function follow(server: http.Server, { keepAlive }: Settings): void {
  if (keepAlive > 0) server.keepAliveTimeout = keepAlive;
  traffic.follow(server);
}

/** The server that was created for a file's export. */
let made: { readonly server: http.Server; readonly port: number; readonly target: unknown } | undefined;

/**
 * Follows each HTTP server of this process that begins to listen.
 *
 * @param failed called for a server that cannot listen
 */
export function followListening(settings: Settings, failed: (error: ProductionError) => void): void {
  const { listen } = serverMethods;
  traffic.onClosed = endWorker;
  serverMethods.listen = function (this: net.Server, ...args: unknown[]) {
    if (isHttpServer(this)) {
      follow(this, settings);
      process.channel?.ref();
      if (handOn(this, args)) return this;
      const told = listen.apply(this, args);
      onRefusal(this, (error) => {
        // After the start, the program may handle the error of a further server.
        if (lifecycle.phase === 'starting' || this.listenerCount('error') === 0) failed(listenError(error));
      });
      return told;
    }
    return listen.apply(this, args);
  };
}

/** The program has closed its last server: a worker without other work ends, as a process without a supervisor does, and is replaced. */
function endWorker(): void {
  const { phase } = lifecycle;
  if (traffic.servers.size === 0 && (phase === 'starting' || phase === 'ready')) process.channel?.unref();
}

/** Calls `hear` if a server cannot listen. Later errors of the server are left to its program. */
function onRefusal(server: http.Server, hear: (error: Error) => void): void {
  const refused = (error: Error): void => {
    server.removeListener('listening', listens);
    hear(error);
  };
  const listens = (): void => void server.removeListener('error', refused);
  server.prependOnceListener('error', refused).prependOnceListener('listening', listens);
}

/**
 * An exported application may call `listen()` later. The server that was created for it then passes its connections on, because
 * connections that wait would be lost if it closed. An exported server listens already.
 *
 * @returns whether `late` does not have to listen
 */
function handOn(late: http.Server, args: readonly unknown[]): boolean {
  const [first] = args;
  const port = typeof first === 'object' && first !== null ? (first as { port?: unknown }).port : first;
  if (made === undefined || Number(port) !== made.port) return false;
  const { server, target } = made;
  // Another server of the program may ask for any free port, too, and has its own address and content.
  if (made.port === 0 && server !== late && !serves(late, target)) return false;
  made = undefined;
  const callback = args.at(-1);
  if (typeof callback === 'function') late.once('listening', callback as () => void);
  const begin = (): boolean => late.emit('listening');
  // On a busy machine the server may not listen yet: it has no address before.
  if (server.listening) process.nextTick(begin);
  else if (server !== late) server.once('listening', begin);
  if (server !== late) passOn(server, late);
  return true;
}

/** Koa makes a new listener each time. */
function serves(server: http.Server, target: unknown): boolean {
  return hasMethod(target, 'callback') || server.listeners('request').some((listener) => listener === target);
}

function passOn(server: http.Server, late: http.Server): void {
  server.removeAllListeners('connection');
  server.on('connection', (socket) => late.emit('connection', socket));
  Object.defineProperty(late, 'address', { value: () => server.address(), configurable: true, writable: true });
  Object.defineProperty(late, 'listening', { get: () => server.listening, configurable: true });
}

interface Listenable {
  listen(where: object): unknown;
}
interface Fastify {
  readonly server: http.Server;
  ready(): unknown;
  listen(options: object): Promise<unknown>;
}
interface Koa {
  callback(): http.RequestListener;
}

/** Whether {@link listenWith} can serve a value: a server, an application or a handler. */
export function canServe(value: unknown): boolean {
  if (typeof value === 'function') return value.length >= 2 || hasMethod(value, 'listen');
  return (
    isHttpServer(value) || (hasMethod(value, 'listen') && (hasMethod(value, 'ready') || hasMethod(value, 'callback')))
  );
}

function hasMethod(value: unknown, name: string): boolean {
  return value !== null && value !== undefined && typeof (value as Record<string, unknown>)[name] === 'function';
}

/**
 * Makes a server, an application or a handler listen.
 *
 * @throws ProductionError ERR_NONSTOP_LISTEN
 */
export async function listenWith(target: unknown, settings: Settings): Promise<http.Server> {
  const { port, host: address } = settings;
  const where = address === '' ? { port } : { port, host: address };
  if (!isHttpServer(target) && hasMethod(target, 'ready') && hasMethod(target, 'listen'))
    return listenItself(target as Fastify, settings);
  const server = serverOf(target, where);
  made = { server, port, target };
  follow(server, settings);
  if (server.listening) return server;
  await new Promise<void>((resolve, reject) => {
    onRefusal(server, (error) => reject(listenError(error, settings)));
    server.once('listening', resolve);
  });
  return server;
}

async function listenItself(app: Fastify, settings: Settings): Promise<http.Server> {
  const { port, host: address } = settings;
  // An error of its plugins and hooks is the application's.
  await app.ready();
  const { server } = app;
  // The program may have called `listen()` meanwhile: a second call would fail.
  const isTold = server.listening || traffic.servers.has(server);
  follow(server, settings);
  if (isTold) return server;
  try {
    // Without a host Fastify takes localhost; an empty one is all addresses.
    await app.listen({ port, host: address });
  } catch (error) {
    throw listenError(error as Error, settings);
  }
  return server;
}

/** The server for a target. Listening has begun; success or an error comes in a later tick. */
function serverOf(target: unknown, where: object): http.Server {
  if (isHttpServer(target)) return target.listening || told.has(target) ? target : target.listen(where);
  if (hasMethod(target, 'callback')) return engineServer((target as Koa).callback()).listen(where);
  if (!hasMethod(target, 'listen')) return engineServer(target as http.RequestListener).listen(where);
  // Express creates its server here and chooses the engine for it.
  const server = (target as Listenable).listen(where);
  if (isHttpServer(server)) return server;
  throw new ProductionError('ERR_NONSTOP_NO_SERVER', 'listen() of the application returns no HTTP server');
}

function engineServer(listener: http.RequestListener): http.Server {
  return (host.httpModule as typeof http).createServer(listener);
}

/** Interval of the checks of a starting process. */
const PERIOD = 50;

/**
 * Waits until an application is loaded, a server listens, and the application's checks say that it is ready.
 *
 * @throws ProductionError ERR_NONSTOP_NOT_READY, or the error of `loading`
 */
export async function becomeReady({ readyTimeout }: Settings, loading: Promise<unknown>): Promise<string[]> {
  const end = performance.now() + readyTimeout;
  await loadedIn(readyTimeout, loading);
  let waitsFor = '';
  // At least once, even if loading took all the time.
  do {
    if (traffic.listens) {
      const { ok, checks } = await runChecks('ready');
      if (ok) {
        if (lifecycle.phase === 'starting') lifecycle.phase = 'ready';
        traffic.gate?.begin();
        return addresses();
      }
      const failing = Object.entries(checks).filter(([, result]) => result !== 'ok');
      waitsFor = failing.map(([name, result]) => `check ${name}: ${messageOf(result)}`).join(', ');
    }
    // This timer does not keep the process alive, so an application without work can end.
    await new Promise<void>((resolve) => setTimeout(resolve, PERIOD).unref());
  } while (performance.now() < end);
  throw notReady(readyTimeout, waitsFor || noServer());
}

function noServer(): string {
  const hasWorkers = cluster.isPrimary && Object.keys(cluster.workers ?? {}).length > 0;
  return `no server listens${hasWorkers ? ' in this process, which started workers itself: use --workers instead, or run it with node' : ''}`;
}

async function loadedIn(readyTimeout: number, loading: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notReady(readyTimeout, 'it is still loading')), readyTimeout).unref();
  });
  try {
    await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The addresses of the servers of this process, for messages. */
function addresses(): string[] {
  return [...traffic.servers].filter(({ listening }) => listening).map(addressOf);
}

/** A URL of a server, or its path. */
export function addressOf(server: http.Server): string {
  const found = server.address();
  if (found === null || typeof found === 'string') return found ?? '';
  const { address, family, port } = found;
  const isAll = address === '::' || address === '0.0.0.0';
  const host = isAll ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http${'setSecureContext' in server ? 's' : ''}://${host}:${port}${isAll ? ' (all addresses)' : ''}`;
}
