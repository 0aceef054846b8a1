import type { Params } from './shapes.js';

/**
 * The params of a router with `mergeParams`. Its own params replace its parent's of the same name; numbered groups of
 * RegExps get the numbers after the parent's.
 *
 * @param own is renumbered in place
 * @param copy of the dialect
 */
export function mergeParams(own: Params, parent: unknown, copy: (to: Params, from: Params) => Params): Params {
  if (typeof parent !== 'object' || !parent) return own;
  // Not a spread, which would define a param named `__proto__`. Assigning a text to it does nothing.
  const merged = copy({}, parent as Params);
  shift(own, countNumbered(own), countNumbered(parent as Params));
  return copy(merged, own);
}

function countNumbered(params: Params): number {
  let count = 0;
  while (count in params) count++;
  return count;
}

/** Moves `count` groups up by `by`, from last to first; numbers below the parent's count stay the parent's. */
function shift(params: Params, count: number, by: number): void {
  for (let i = count - 1; i >= 0; i--) {
    params[i + by] = params[i];
    if (i < by) delete params[i];
  }
}
