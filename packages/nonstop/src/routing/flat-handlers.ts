import type { Handle } from './shapes.js';

/**
 * The handlers of a call, its nested lists laid out in order.
 *
 * @throws TypeError where there is none, or one is not a function
 */
export function flatHandlers(given: readonly unknown[]): Handle[] {
  const handlers = given.flat(Infinity);
  if (handlers.length === 0) throw new TypeError('argument handler is required');
  return handlers as Handle[];
}

/** @throws TypeError where `handler` cannot be called */
export function assertHandler(handler: unknown): asserts handler is Handle {
  if (typeof handler !== 'function') throw new TypeError('argument handler must be a function');
}

/**
 * Where the handlers begin in the arguments of `use`: the path in front of them may be left out.
 *
 * A list is a list of handlers when the first thing in it, however deep, is a function.
 */
export function leadsWithHandler(first: unknown): boolean {
  let inner = first;
  while (Array.isArray(inner) && inner.length !== 0) inner = inner[0] as unknown;
  return typeof inner === 'function';
}
