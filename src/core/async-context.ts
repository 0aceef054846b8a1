import { AsyncLocalStorage } from 'node:async_hooks';
import { CONTEXTS_ARE_FRAMES } from './node-differences.js';

/** Runs a function in the async context that was current when this was made, and puts the caller's back behind it. */
export type Context = <T>(run: (argument: T) => void, argument: T) => void;

// Where contexts are frames, each of node's parser callbacks starts from the one of its connection: `enterWith()` in one
// handler is not seen by the next. Before, a context belongs to the resource that called, which is the connection, under
// node as here.

/**
 * The current async context, to start each of several pipelined requests from it.
 *
 * @returns null where node would not separate them either
 */
export function captureContext(): Context | null {
  return CONTEXTS_ARE_FRAMES ? AsyncLocalStorage.snapshot() : null;
}
