import { kReadField, type FieldReadable } from '../../core/shortcuts.js';
import type { Request } from '../shape.js';

/**
 * A header field of the request.
 *
 * @param name in any letter case; `Referrer` and `Referer` are the same
 * @returns undefined if the request has no such field; a list for Set-Cookie only
 * @throws TypeError if `name` is missing or not a string
 */
export function header(this: Request, name: string): string | string[] | undefined {
  if (!name) throw new TypeError('name argument is required to req.get');
  if (typeof name !== 'string') throw new TypeError('name must be a string to req.get');
  const field = name.toLowerCase();
  if (field === 'referer' || field === 'referrer') return fieldOf(this, 'referrer') || fieldOf(this, 'referer');
  return fieldOf(this, field);
}

function fieldOf(req: Request & FieldReadable, name: string): string | string[] | undefined {
  return req[kReadField] === undefined ? req.headers[name] : req[kReadField](name);
}
