import type { Handle } from './shapes.js';

/**
 * The handlers of a call, with nested lists flattened in order.
 *
 * @throws TypeError if there is none, or one is not a function
 */
export function flatHandlers(given: readonly unknown[]): Handle[] {
  const handlers = given.flat(Infinity);
  if (handlers.length === 0) throw new TypeError('argument handler is required');
  return handlers as Handle[];
}

/** @throws TypeError if `handler` is not a function */
export function assertHandler(handler: unknown): asserts handler is Handle {
  if (typeof handler !== 'function') throw new TypeError('argument handler must be a function');
}

/**
 * The index of the first handler in the arguments of `use`; the path before them is optional.
 *
 * A list is a list of handlers if its first item, at any depth, is a function.
 */
export function leadsWithHandler(first: unknown): boolean {
  let inner = first;
  while (Array.isArray(inner) && inner.length !== 0) inner = inner[0] as unknown;
  return typeof inner === 'function';
}
