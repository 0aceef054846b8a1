import { AsyncResource, executionAsyncResource } from 'node:async_hooks';
import { CONTEXTS_ARE_FRAMES } from './differences.js';
import { nodesProcess } from '../core/clock.js';

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
 * Runs the waiting ticks and microtasks, as node does whenever a callback from its own code returns. Otherwise they would
 * wait until the whole read is handled. `process._tickCallback` is old, but every supported Node has it.
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
  nodesProcess.nextTick(throwAgain, error);
}

function throwAgain(error: unknown): never {
  throw error;
}

/**
 * The async context in which the handlers of a connection start. It is captured when the server gets the socket: a program may call
 * `listen()` within `AsyncLocalStorage.run()`, or `enterWith()` in a listener for `'connection'`. node makes a resource of this type for its
 * parser. With AsyncContextFrame, `enterWith()` in one handler has no effect on the next; before Node 24 it has, in node and here.
 *
 * The context of the socket's reads is not used: its handle is made before any JavaScript runs, in the context that a
 * tick that threw has left (Node 24 and later), which may be that of another request.
 *
 * `AsyncLocalStorage.snapshot()` is not used: in Node 24 it returns a function with own accessors, whose hidden class
 * keeps it alive until the next full collection. At a kilobyte for each read, a busy server grew to 208 MB.
 */
export function captureContext(): AsyncResource {
  return new AsyncResource('HTTPINCOMINGMESSAGE');
}

/**
 * {@link captureContext} in a read of a connection that node has served so far. With AsyncContextFrame the result has no stores, because
 * those of the read may be another request's (see there).
 */
export function captureReadContext(): AsyncResource {
  const context = captureContext();
  if (CONTEXTS_ARE_FRAMES && kFrame !== undefined) Reflect.set(context, kFrame, undefined);
  return context;
}

type Act<A extends unknown[], R> = (...args: A) => R;

interface Domain {
  enter(): void;
  exit(): void;
}

/** The domain in which a resource was made: node:domain, once loaded, stores it on each resource. */
function domainOf(context: AsyncResource): Domain | undefined {
  return (context as { readonly domain?: Domain }).domain;
}

/** Calls `act` in `context`, and in its domain. */
export function callIn<A extends unknown[], R>(context: AsyncResource, act: Act<A, R>, ...args: A): R {
  const domain = domainOf(context);
  if (domain === undefined) return context.runInAsyncScope(act, undefined, ...args);
  let failed: Thrown | null = null;
  let active: Domain | null | undefined;
  const inDomain = (): R | undefined => {
    try {
      return act(...args);
    } catch (error) {
      failed = { error };
      active = (process as { domain?: Domain | null }).domain;
      return undefined;
    }
  };
  const result = context.runInAsyncScope(inDomain);
  if (failed === null) return result as R;
  // runInAsyncScope() has left the domain. node's parser stays in it when a handler throws, so that the domain gets the uncaught error.
  domain.enter();
  if (active !== domain) active?.enter();
  throw (failed as Thrown).error;
}

/** Calls `act` in the domain of `context`, without its stores. */
export function callInDomain<A extends unknown[]>(context: AsyncResource, act: Act<A, void>, ...args: A): void {
  const domain = domainOf(context);
  domain?.enter();
  act(...args);
  // If `act` throws, the domain stays entered and gets the error.
  domain?.exit();
}

// The symbols of a resource: where contexts are frames, that of the frame with its stores; and those of its ids.
const ownKeys = Object.getOwnPropertySymbols(captureContext());
const kFrame = ownKeys.find(({ description }) => description === 'context_frame');
const ids = ownKeys.filter(({ description }) => /^(?:async|trigger_async)_id_symbol$/.test(description ?? ''));

/** Before AsyncContextFrame: the resource of a socket's reads, its handle, on which `enterWith()` leaves its store. */
export function resourceOfReads(): object | null {
  return CONTEXTS_ARE_FRAMES ? null : executionAsyncResource();
}

/** Gives a {@link resourceOfReads} the stores of `context`, in place of those that handlers have entered. */
export function restoreStores(resource: object, context: AsyncResource): void {
  for (const key of Object.getOwnPropertySymbols(resource))
    if (key.description === 'kResourceStore') Reflect.set(resource, key, Reflect.get(context, key));
}

/**
 * Whether `context` has the stores and the domain of the current context. Then a function need not be called in it, which saves
 * `runInAsyncScope()`: 2,000 to 2,600 instructions, 14 % of what a hello world runs outside the kernel.
 *
 * A resource keeps its stores, or their frame, under symbols. False if this Node keeps the frame elsewhere.
 */
export function isCurrentContext(context: AsyncResource): boolean {
  const here = captureContext();
  const same = (key: symbol): boolean => Reflect.get(context, key) === Reflect.get(here, key);
  if (domainOf(context) !== domainOf(here)) return false;
  if (CONTEXTS_ARE_FRAMES) return kFrame !== undefined && same(kFrame);
  const keys = Object.getOwnPropertySymbols(context);
  if (keys.length !== Object.getOwnPropertySymbols(here).length) return false;
  return keys.every((key) => ids.includes(key) || same(key));
}
