import type { Bodies, Reading } from './dialect.js';
import type { BodyOptions } from '../types/middleware.js';
import type { Given } from './shape.js';
import { lazy, loadAhead } from '../core/lazy.js';
import { memo } from '../core/memo.js';

const bytes = lazy(() => require('bytes') as typeof import('bytes'));

const DEFAULT_LIMIT = 100 * 1024;

function limitInBytes(limit: BodyOptions['limit']): number {
  if (limit === undefined || limit === null) return DEFAULT_LIMIT;
  const size = bytes().parse(limit);
  if (size === null) throw new TypeError(`option limit "${String(limit)}" is invalid`);
  return size;
}

/** Whether a request's Content-Type is one of `types`. The result depends on the field alone and is remembered. */
function typeMatcher(bodies: Bodies, types: string | string[]): Reading['shouldParse'] {
  const list = Array.isArray(types) ? types : [types];
  const matches = memo((field) => bodies.isType(field, list));
  loadAhead('bodies', 'media types');
  return (_req, fields) => {
    const field = fields['content-type'];
    // A program may have written null there.
    return field ? matches(field) : false;
  };
}

/**
 * Applies the defaults of the options that all parsers have.
 *
 * @throws TypeError for a limit that is not a size, or a `verify` that is not a function
 */
export function commonOptions(
  bodies: Bodies,
  options: Given<BodyOptions & { readonly defaultCharset?: string | undefined }>,
  defaultType: string,
): Pick<Reading, 'bodies' | 'inflate' | 'limit' | 'verify' | 'shouldParse'> & { defaultCharset: string } {
  const type = options?.type || defaultType;
  const verify = options?.verify || false;
  const limit = limitInBytes(options?.limit);
  if (verify !== false && typeof verify !== 'function') throw new TypeError('option verify must be function');
  return {
    bodies,
    inflate: options?.inflate !== false,
    limit,
    verify,
    shouldParse: typeof type === 'function' ? (req) => type(req) : typeMatcher(bodies, type),
    defaultCharset: options?.defaultCharset || 'utf-8',
  };
}
