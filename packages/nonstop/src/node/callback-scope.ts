import { AsyncResource } from 'node:async_hooks';
import { CONTEXTS_ARE_FRAMES } from './differences.js';

type Ticks = (this: typeof process) => void;

const nodeTicks = ticksOf((process as typeof process & { readonly _tickCallback?: Ticks })._tickCallback);

/**
 * node's function behind `process._tickCallback`. With `--pending-deprecation` the process has a wrapper instead, made by
 * `util.deprecate()`: it warns when it is called (DEP0134), and the function is its prototype.
 */
function ticksOf(given: unknown): Ticks | undefined {
  for (let each = given; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    if (each.name === 'runNextTicks') return each as Ticks;
  }
  return undefined;
}

/** What a tick has thrown. */
export interface Thrown {
  readonly error: unknown;
}

/**
 * Lets the process have the ticks and microtasks that wait, as it has them whenever a callback from node's own code returns.
 * Every supported Node keeps this old way to ask for it; without it they wait until the read has been handled.
 *
 * @returns what a tick has thrown. The caller has to throw it again out of the callback that node's code has called: only that tidies
 * up the async context that the tick has left behind. To swallow it, or to throw it in a tick, ends the process later ("async hook
 * stack has become corrupted").
 */
export function runTicks(): Thrown | null {
  try {
    nodeTicks?.call(process);
    return null;
  } catch (error) {
    return { error };
  }
}

/** Throws `error` in a tick of its own, where nobody catches it: for what user code throws in the middle of the caller's work. */
export function throwInTick(error: unknown): void {
  process.nextTick(throwAgain, error);
}

function throwAgain(error: unknown): never {
  throw error;
}

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
