import { lazy } from '../../../core/lazy.js';
import type { CookieOptions } from '../../../types/response.js';
import { cookie as cookieOf5 } from '../../response/cookies.js';
import type { Res } from '../../response/shape.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** Adds a cookie, as `res.cookie` of Express 5 does; options that are inherited count as well. */
export function cookie(this: Res, name: string, value: unknown, options?: CookieOptions): Res {
  return cookieOf5.call(this, name, value, withInherited(options));
}

/**
 * Makes the browser delete a cookie that was set with the same `path` and `domain`. The options may override the
 * defaults.
 */
export function clearCookie(this: Res, name: string, options?: CookieOptions): Res {
  if (options?.maxAge) deprecate()(toBeIgnored('maxAge'));
  if (options?.expires) deprecate()(toBeIgnored('expires'));
  return this.cookie(name, '', { expires: new Date(1), path: '/', ...withInherited(options) });
}

function toBeIgnored(option: string): string {
  return `res.clearCookie: Passing "options.${option}" is deprecated. In v5.0.0 of Express, this option will be ignored, as res.clearCookie will automatically set cookies to expire immediately. Please update your code to omit this option.`;
}

function withInherited(options: CookieOptions | undefined): CookieOptions {
  const all: Record<string, unknown> = {};
  for (const name in options) all[name] = options[name as keyof CookieOptions];
  return all;
}
