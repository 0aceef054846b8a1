import type { Next, Req, Res } from './shape.js';
import { createError } from '../../body/errors.js';
import { lazy } from '../../core/lazy.js';
import { mediaTypeOf } from './media-type.js';

const varyPackage = lazy(() => require('vary') as typeof import('vary'));

type FormatHandler = (req: Req, res: Res, next: Next) => void;

/**
 * Calls the handler whose media type or extension the request accepts best, or the first one if the request has no
 * preference. If none is acceptable it calls `default`, or `next` with a 406 error and the types. Content-Type is set
 * before the handler runs.
 *
 * @param obj handlers by type. A value that is not a function causes a TypeError with this name and `key`, as in Express
 */
export function format(this: Res, obj: Record<string, FormatHandler>): Res {
  return formatBy(mediaTypeOf, this, obj);
}

/** The same with the media types of one Express dialect. */
export function formatBy(typeOf: (key: string) => string, res: Res, obj: Record<string, FormatHandler>): Res {
  const req = res.req;
  const next = req.next;
  const types = Object.keys(obj).filter((type) => type !== 'default');
  const key = types.length > 0 ? req.accepts(types) : false;

  res.vary('Accept');
  if (key) {
    res.set('Content-Type', typeOf(key));
    obj[key](req, res, next);
  } else if (obj.default) {
    obj.default(req, res, next);
  } else {
    next(createError()(406, { types: types.map(typeOf) }));
  }
  return res;
}

/**
 * Adds field names to Vary that it does not have yet.
 *
 * @throws TypeError without a field, or for a name that is not a token
 */
export function vary(this: Res, field: string | string[]): Res {
  varyPackage()(this, field);
  return this;
}
