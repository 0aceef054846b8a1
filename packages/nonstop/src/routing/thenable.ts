import { lazy } from '../core/lazy.js';

export type Deprecate = (message: string) => void;

/** Under the name that `NO_DEPRECATION=router` and `process.on('deprecation')` know. */
export const deprecate = lazy(() => (require('depd') as (namespace: string) => Deprecate)('router'));

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'object' && typeof value !== 'function') return false;
  return typeof (value as { then?: unknown }).then === 'function';
}

/** Only its rejection matters; some thenables call what they were given without looking, so it is a function. */
export function ignoreValue(): void {}

/** What a rejection hands to `next`: a falsy reason would read as "go on". */
export function reasonOf(rejection: unknown): unknown {
  return rejection || new Error('Rejected promise');
}
