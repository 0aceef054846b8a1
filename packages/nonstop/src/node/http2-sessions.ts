import type { Http2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { setRealImmediate } from '../core/clock.js';
import { define } from '../core/define-own.js';
import { isWorn } from '../core/passing-set.js';
import { symbolOf } from './symbols.js';

let kSocket: symbol | undefined;
let kState: symbol | undefined;

/**
 * The socket of a `node:http2` session. The session's own property is a proxy that stops working when the session ends.
 *
 * @returns undefined if the session no longer has its socket
 */
export function socketOfSession(session: object): Socket | undefined {
  kSocket ??= symbolOf(session, 'socket');
  return kSocket === undefined ? undefined : (session as Record<symbol, Socket | undefined>)[kSocket];
}

interface StreamMap extends Map<number, ServerHttp2Stream> {
  /** Streams since the map was made. */
  [kSince]?: number;
}

const kSince: unique symbol = Symbol('nonstop.since');

function stateOfSession(session: object): { streams?: StreamMap } | undefined {
  kState ??= symbolOf(session, 'state');
  return kState && (session as Record<symbol, { streams?: StreamMap } | undefined>)[kState];
}

/** The streams that are open in a session. */
export function streamsOfSession(session: object): ServerHttp2Stream[] {
  return [...(stateOfSession(session)?.streams?.values() ?? [])];
}

/**
 * Gives a session another map of its streams from time to time; to be called for each stream. It is of node's own kind, which does not need the
 * methods of `Map.prototype`.
 *
 * Why is told at `PassingSet`: with 400 streams under way the young collections took 26 ms instead of 1, a fifth of the CPU time of a hello (Node 24).
 */
export function renewStreamMap(session: object): void {
  const state = stateOfSession(session);
  const streams = state?.streams;
  if (streams === undefined) return;
  const since = (streams[kSince] ?? 0) + 1;
  if (isWorn(since, streams.size)) state!.streams = new (streams.constructor as MapConstructor)(streams);
  else streams[kSince] = since;
}

const handleQueue = (socket: Socket | undefined): number | undefined =>
  (socket as { _handle?: { writeQueueSize?: number } | null } | undefined)?._handle?.writeQueueSize;

/** Octets that were written to a socket, or to its handle, and that the kernel has not taken. */
export function octetsLeft(socket: Socket | undefined): number {
  return (socket?.writableLength ?? 0) + (handleQueue(socket) ?? 0);
}

/** Whether everything that was written to the socket of a session was taken by the kernel. False if the socket is gone. */
export function isAllWritten(socket: Socket | undefined): boolean {
  return handleQueue(socket) === 0;
}

/** Has errors destroy a session when the read is over in which they come. Without an error it is destroyed at once, as by a program. */
export function destroyLater(session: ServerHttp2Session): void {
  const { destroy } = session;
  const value: typeof destroy = (error, code) => {
    if (error) setRealImmediate(() => destroy.call(session, error, code));
    else destroy.call(session, error, code);
  };
  define(session, 'destroy', { value, writable: true, configurable: true, enumerable: false });
}

/**
 * Gives a session a longer deadline, or none, if it has one: `server.setTimeout()` sets that of sessions. A shorter one would end its other streams.
 *
 * @param ms milliseconds; 0 for none
 */
export function lengthenTimeout(session: Http2Session | undefined, ms: number): void {
  const { timeout = 0 } = (session ?? {}) as { timeout?: number };
  if (timeout !== 0 && (ms === 0 || ms > timeout)) session!.setTimeout(ms);
}
