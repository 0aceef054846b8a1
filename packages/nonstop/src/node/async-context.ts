import { AsyncResource } from 'node:async_hooks';
import { CONTEXTS_ARE_FRAMES } from './differences.js';

// Where contexts are frames, each of node's parser callbacks starts from the one of its connection: `enterWith()` in one
// handler is not seen by the next. Before, a context belongs to the resource that called, which is the connection, under
// node as here.

/**
 * The current async context, to start each of several pipelined requests from it by `runInAsyncScope()`.
 *
 * Not by `AsyncLocalStorage.snapshot()`: what that gives is a function with accessors of its own on Node 24, whose hidden class
 * keeps it alive until the next full collection. A kilobyte for each read made 208 MB of a busy server.
 *
 * @returns null where node would not separate them either
 */
export function captureContext(): AsyncResource | null {
  return CONTEXTS_ARE_FRAMES ? new AsyncResource('HTTPINCOMINGMESSAGE') : null;
}
