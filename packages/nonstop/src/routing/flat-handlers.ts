import type { Handle } from './shapes.js';

/**
 * The handlers of a call, with nested lists flattened in order. The caller checks each with {@link assertHandler} just before it adds it: as in
 * Express, those before a wrong one are added.
 *
 * @throws TypeError if there is none
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
 * Whether the first argument of `use` is a handler, or a list of them, and not a path. A list is a list of handlers if its first item, at any
 * depth, is a function.
 */
export function leadsWithHandler(first: unknown): boolean {
  let inner = first;
  while (Array.isArray(inner) && inner.length !== 0) inner = inner[0] as unknown;
  return typeof inner === 'function';
}
