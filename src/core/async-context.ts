import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs a function in the async context that was current when this was made, and puts the caller's back behind it. */
export type Context = <T>(run: (argument: T) => void, argument: T) => void;

// Since Node 24 a context belongs to the running code, and each of node's own parser callbacks starts from the one of its
// connection: `enterWith()` in one handler is not seen by the next. Before, it belongs to the resource that called, which
// is the connection, under node as here.
const contextsAreFrames = Number(process.versions.node.split('.', 1)[0]) >= 24;

/**
 * The current async context, to start each of several pipelined requests from it.
 *
 * @returns null where node would not separate them either
 */
export function captureContext(): Context | null {
  return contextsAreFrames ? AsyncLocalStorage.snapshot() : null;
}
