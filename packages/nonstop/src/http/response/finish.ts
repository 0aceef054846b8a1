import { EventEmitter } from 'node:events';
import { nodesProcess } from '../../core/clock.js';
import { destroyedError } from '../../core/errors.js';
import { kEndCallbacks, kErrored, kFlushError, kWritableFinished } from '../../node/message-state.js';
import { kConnection, kRequest, type EngineResponse } from '../message.js';
import { noteAllTold } from '../request/body.js';
import type { HttpSocket } from '../connection/socket-listeners.js';

type Callback = (error: Error | null) => void;

/** A response with the state that node's `end()` keeps for its callbacks. */
interface EndState {
  [nodeState: symbol]: unknown;
}

/**
 * Whether a response that the socket is done with was really sent (node: `onFinish`). If not, only the callbacks of
 * `end()` are called.
 */
export function wasSent(res: EngineResponse, socket: HttpSocket, error: Error | null | undefined): boolean {
  if (kFlushError === undefined) return !socket._hadError;
  if (!error && !res[kErrored] && !socket.errored && !socket._hadError) return true;
  const fault = error ?? (res[kErrored] as Error | null) ?? socket.errored ?? destroyedError('end');
  failEnd(res, fault);
  return false;
}

/** Tells the callbacks of `end()`, also later ones, that the answer was not sent. */
export function failEnd(res: EndState, fault: Error): void {
  if (kFlushError === undefined) return;
  res[kFlushError] = fault;
  tellCallbacks(res, fault);
}

/** Marks a response as finished: `writableFinished`, and the callbacks of further calls of `end()`. */
export function noteFinished(res: EndState): void {
  if (kWritableFinished === undefined) return;
  res[kWritableFinished] = true;
  if (res[kEndCallbacks!] !== null) tellCallbacks(res, null);
}

function tellCallbacks(res: EndState, error: Error | null): void {
  const callbacks = res[kEndCallbacks!] as Callback[] | null;
  if (callbacks === null) return;
  res[kEndCallbacks!] = null;
  for (const callback of callbacks) callback(error);
}

interface Carried {
  readonly [kConnection]: { finished(message: unknown): void };
}

/** The engine's own listener of a response's `'finish'`. */
export function onFinish(this: Carried): void {
  this[kConnection].finished(this);
}

/** One listener is the engine's. A patched `emit` counts as a listener too: some APM agents follow responses that way. */
export function isListenedTo(res: EngineResponse): boolean {
  return (
    res._eventsCount !== 1 ||
    (res._events as { finish?: unknown }).finish !== onFinish ||
    res.emit !== EventEmitter.prototype.emit
  );
}

/** The last event comes a tick later. Without listeners its effect is applied at once, which saves the tick. */
export function closeLater(res: EngineResponse, heard: boolean): void {
  if (heard) nodesProcess.nextTick(closeResponse, res);
  else {
    res.destroyed = true;
    res._closed = true;
  }
}

/** The last event of a response, whether it was sent or its connection is closed (node: `emitCloseNT`). */
export function closeResponse(res: EngineResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  noteAllTold(res[kRequest], false);
  res.emit('close');
  noteAllTold(res[kRequest], true);
}
