import { lazy } from '../core/lazy.js';

export type Deprecate = (message: string) => void;

/** The namespace is `router`, for `NO_DEPRECATION=router` and `process.on('deprecation')`. */
export const deprecate = lazy(() => (require('depd') as (namespace: string) => Deprecate)('router'));

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'object' && typeof value !== 'function') return false;
  return typeof (value as { then?: unknown }).then === 'function';
}

/** Only a rejection matters. The first argument is a function, because some thenables call it without a check. */
export function ignoreValue(): void {}

/** The error that a rejection passes to `next`: a falsy reason would mean "continue". */
export function reasonOf(rejection: unknown): unknown {
  return rejection || new Error('Rejected promise');
}
