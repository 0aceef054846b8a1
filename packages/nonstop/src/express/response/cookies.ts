import type { Res } from './shape.js';
import type { CookieOptions } from '../../types/response.js';
import { lazy } from '../../core/lazy.js';

const cookiePackage = lazy(() => require('cookie') as typeof import('cookie'));
const signature = lazy(() => require('cookie-signature') as typeof import('cookie-signature'));

/**
 * Adds a cookie. An object is sent as JSON after `j:`, a signed value with its signature after `s:`.
 *
 * @throws Error for a signed cookie when cookie-parser has no secret
 * @throws TypeError for an invalid name, value or option
 */
export function cookie(this: Res, name: string, value: unknown, options?: CookieOptions): Res {
  const settings: CookieOptions = { ...options };
  const secret = this.req.secret;
  if (settings.signed && !secret) throw new Error('cookieParser("secret") required for signed cookies');

  let text = typeof value === 'object' ? 'j:' + JSON.stringify(value) : String(value);
  if (settings.signed) text = 's:' + signature().sign(text, secret as string);

  if (settings.maxAge != null) {
    // Not `Number()`, which takes a BigInt: Express throws a TypeError for one.
    const age = settings.maxAge - 0;
    if (!Number.isNaN(age)) {
      settings.expires = new Date(Date.now() + age);
      settings.maxAge = Math.floor(age / 1000);
    }
  }
  settings.path ??= '/';

  this.append('Set-Cookie', cookiePackage().serialize(name, text, settings));
  return this;
}

/** Makes the browser forget a cookie that was set with the same `path` and `domain`. */
export function clearCookie(this: Res, name: string, options?: CookieOptions): Res {
  const settings: CookieOptions = { path: '/', ...options, expires: new Date(1) };
  // Max-Age takes precedence over Expires (RFC 6265 §5.3).
  delete settings.maxAge;
  return this.cookie(name, '', settings);
}
