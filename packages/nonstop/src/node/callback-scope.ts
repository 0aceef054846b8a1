import { AsyncResource } from 'node:async_hooks';
import { CONTEXTS_ARE_FRAMES } from './differences.js';

type Ticks = (this: typeof process) => void;

const nodeTicks = ticksOf((process as typeof process & { readonly _tickCallback?: Ticks })._tickCallback);

/**
 * node's function behind `process._tickCallback`. With `--pending-deprecation` the process has a wrapper instead, made by
 * `util.deprecate()`: it warns when it is called (DEP0134), and the original function is its prototype.
 */
function ticksOf(given: unknown): Ticks | undefined {
  for (let each = given; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    if (each.name === 'runNextTicks') return each as Ticks;
  }
  return undefined;
}

/** The error that a tick threw. */
export interface Thrown {
  readonly error: unknown;
}

/**
 * Runs the waiting ticks and microtasks, as node does whenever a callback from its own code returns. Every supported Node
 * still has this old function for it. Without it, they would wait until the whole read is handled.
 *
 * @returns the error that a tick threw. The caller must throw it again out of the callback that node called: only that
 *   cleans up the tick's async context. Swallowing it, or throwing it in a tick, ends the process later ("async hook
 *   stack has become corrupted").
 */
export function runTicks(): Thrown | null {
  try {
    nodeTicks?.call(process);
    return null;
  } catch (error) {
    return { error };
  }
}

/** Throws `error` in a new tick, as an uncaught exception: for user code that throws in the middle of the caller's work. */
export function throwInTick(error: unknown): void {
  process.nextTick(throwAgain, error);
}

function throwAgain(error: unknown): never {
  throw error;
}

// With AsyncContextFrame, each of node's parser callbacks starts with its connection's frame: `enterWith()` in one
// handler has no effect on the next. Without it, the context belongs to the calling resource, the connection, in node and
// here.

/**
 * The current async context, to start each of several pipelined requests from it by `runInAsyncScope()`.
 *
 * `AsyncLocalStorage.snapshot()` is not used: in Node 24 it returns a function with own accessors, whose hidden class
 * keeps it alive until the next full collection. At a kilobyte for each read, a busy server grew to 208 MB.
 *
 * @returns null in Node versions that do not separate them
 */
export function captureContext(): AsyncResource | null {
  return CONTEXTS_ARE_FRAMES ? new AsyncResource('HTTPINCOMINGMESSAGE') : null;
}
