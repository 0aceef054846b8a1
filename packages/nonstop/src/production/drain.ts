import net from 'node:net';
import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Held } from './held.js';
import { lifecycle, messageOf, runHooks, timeOfHooks, type DrainNotice } from './lifecycle.js';
import type { Settings } from './options.js';
import { endStreams } from './streams.js';
import { traffic } from './traffic.js';

/** @internal */
type DrainSettings = Pick<Settings, 'drainDelay' | 'grace' | 'streamLimit' | 'hookTimeout'>;

/** The requests and hooks that a drain did not finish. */
export interface DrainReport {
  /** A line for each request and each upgraded connection that was cut off after the grace period. */
  readonly cut: readonly string[];
  /** A line for each listener of the drain that threw, and each hook that threw or took too long. */
  readonly failed: readonly string[];
}

/** Interval of the check of idle connections and streams, in milliseconds. */
const PERIOD = 50;

/** Between the end of streams and the cut, in milliseconds; half of the grace period if that is shorter. */
const TIME_TO_END = 1000;

/** For servers without a `keepAliveTimeout`: node's default since version 8. */
const USUAL_KEEP_ALIVE = 5000;

/** How long connections whose TLS handshake is under way are waited for, in milliseconds. */
const HANDSHAKE = 5000;

/** By default node closes an idle connection this much later than `keepAliveTimeout`, in milliseconds. */
const KEEP_ALIVE_BUFFER = 1000;

let draining: Promise<DrainReport> | undefined;
let times: DrainSettings | undefined;

/** The longest that a drain can take, in milliseconds: of the one under way, or else of one with these settings. */
export function timeOfDrain(settings: DrainSettings): number {
  const { drainDelay, grace, hookTimeout } = times ?? settings;
  return drainDelay + grace + timeOfHooks(hookTimeout);
}

/**
 * Stops the servers of the process without losing a request (docs/guide/production.md): readiness is false for a while,
 * answers close their connections, listening stops, requests under way end, then the hooks run. Further calls return the
 * same promise.
 */
export function drain(settings: DrainSettings, steps?: DrainSteps): Promise<DrainReport> {
  if (draining !== undefined) return draining;
  times = settings;
  // Set before the drain begins: its listeners may call this function too.
  let begin = (report: Promise<DrainReport>): void => void report;
  draining = new Promise((resolve) => (begin = resolve));
  begin(drainOnce(settings, steps));
  return draining;
}

/** Called between the steps of a drain. @internal */
export interface DrainSteps {
  /** The servers have stopped listening. The drain goes on when the promise resolves. */
  stopped(): Promise<void>;
  /** The connections are ended, and the hooks are next. */
  emptied(): void;
}

async function drainOnce(settings: DrainSettings, steps: DrainSteps | undefined): Promise<DrainReport> {
  const { drainDelay, grace, hookTimeout } = settings;
  const streamLimit = streamLimitOf(settings);
  lifecycle.phase = 'draining';
  const begins = Date.now() + drainDelay;
  const streamsEndAt = begins + streamLimit;
  const failed = notify({ streamsEndAt, cutAt: begins + grace });
  traffic.closing = true;
  for (const held of traffic.connections) held.closeAfter();
  if (drainDelay > 0) await sleep(drainDelay);
  // A server that begins to listen later, after a slow start, is stopped too, after its own listeners have run.
  const stopLater = (server: http.Server): void => process.nextTick(stopListening, server);
  traffic.onListening = stopLater;
  for (const server of traffic.servers) stopListening(server);
  await steps?.stopped();
  // After the delay, when a proxy sends no new requests: requests that arrive after GOAWAY are not served.
  traffic.endsSessions = true;
  for (const held of traffic.connections) held.endSession();
  const cut = await emptied(performance.now(), { grace, streamLimit });
  steps?.emptied();
  failed.push(...(await runHooks(hookTimeout)));
  lifecycle.phase = 'closed';
  return { cut, failed };
}

/** Streams end a while before the rest is cut off, so that their clients get the end. */
function streamLimitOf({ grace, streamLimit }: DrainSettings): number {
  return Math.min(streamLimit, Math.max(grace - TIME_TO_END, grace / 2));
}

/** @returns a line for each listener that threw: the others are called, and the drain goes on */
function notify(notice: DrainNotice): string[] {
  lifecycle.draining.abort(new Error('the process is draining'));
  const failed: string[] = [];
  for (const hear of lifecycle.notices) {
    const fail = (error: unknown): void => void failed.push(`drain listener: ${messageOf(error)}`);
    try {
      // It may be an async function, although nothing waits for it.
      Promise.resolve(hear(notice) as unknown).catch(fail);
    } catch (error) {
      fail(error);
    }
  }
  return failed;
}

/** `server.close()` would close idle connections at once, although a request may be on its way. */
function stopListening(server: http.Server): void {
  // A server that gets its connections from another one has nothing to close.
  const isGiven = Object.hasOwn(server, 'listening');
  if (!server.listening && !isGiven) return;
  closeWithoutError(server);
  if (!isGiven) net.Server.prototype.close.call(server);
}

/**
 * The program's own shutdown, which is called after the drain, closes its server too. It would be told that the server does not run, take that for a
 * failure, and leave out what it closes after it.
 */
function closeWithoutError(server: http.Server): void {
  const { close } = server;
  const value: typeof close = function (this: http.Server, done) {
    return close.call(this, typeof done === 'function' ? () => done() : done);
  };
  Object.defineProperty(server, 'close', { value, writable: true, configurable: true, enumerable: false });
}

/** @returns a line for each that was cut off */
async function emptied(stopped: number, limits: { grace: number; streamLimit: number }): Promise<string[]> {
  const shakesHands = (): boolean => traffic.handshakes > 0 && performance.now() - stopped < HANDSHAKE;
  while (traffic.connections.size > 0 || shakesHands()) {
    await sleep(PERIOD);
    // After the poll phase, so that a connection with new data is no longer idle.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const now = performance.now();
    for (const held of [...traffic.connections].filter((each) => mayEnd(each, stopped, now))) {
      if (held.session === undefined) endConnection(held.socket);
      else held.endSession();
    }
    // Repeated: a new stream may begin on an idle connection.
    if (now - stopped >= limits.streamLimit) for (const held of traffic.connections) endStreams(held);
    if (now - stopped >= limits.grace) return cutAll();
  }
  return [];
}

/** A program may have given the server a stream in place of a socket. */
function endConnection(socket: Pick<net.Socket, 'end'> & Partial<Pick<net.Socket, 'destroySoon'>>): void {
  if (typeof socket.destroySoon === 'function') socket.destroySoon();
  else socket.end();
}

/**
 * Whether an idle connection may be closed: the time that its client was promised is over. If it is closed earlier, a
 * request may already be on its way (nodejs/node#60617).
 */
function mayEnd(held: Held, stopped: number, now: number): boolean {
  const { server } = held.socket as { server?: http.Server };
  const promised = (server?.keepAliveTimeout || USUAL_KEEP_ALIVE) + KEEP_ALIVE_BUFFER;
  // A connection that has had no request gets the time from the stop: its first request may be on its way.
  const since = held.served ? held.idleSince : Math.max(held.idleSince, stopped);
  return held.isIdle && now - since >= promised;
}

/** Closes all remaining connections. @returns a line for each request and stream */
export function cutAll(): string[] {
  const cut: string[] = [];
  for (const held of traffic.connections) {
    const seconds = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const from = held.socket.remoteAddress ?? 'a local socket';
    if (held.upgraded !== undefined) cut.push(`${held.upgraded} connection from ${from}`);
    for (const protocol of held.tunnels?.values() ?? []) cut.push(`${protocol} stream from ${from}`);
    for (const { req, start } of held.inHand()) {
      const { originalUrl = req.url } = req as { originalUrl?: string };
      cut.push(`${req.method} ${originalUrl} from ${from}, under way for ${seconds(start)}`);
    }
    held.session?.destroy();
    held.socket.destroy();
    // Now, so that logs and metrics have them: the process may end before the socket's 'close'.
    traffic.lost(held);
  }
  return cut;
}
