import type { Next, Req, Res } from './shape.js';
import { lazy } from '../../core/lazy.js';
import { mediaTypeOf } from './media-type.js';

const createError = lazy(() => require('http-errors') as typeof import('http-errors'));
const varyPackage = lazy(() => require('vary') as typeof import('vary'));

type FormatHandler = (req: Req, res: Res, next: Next) => void;

/**
 * Calls the handler whose media type or extension the request accepts best, the first one when it has no preference;
 * else `default`, else `next` with 406 and the types on offer. Content-Type is set before the handler runs.
 *
 * @param obj handlers by type; what is none shows this name and `key` in the TypeError, as in Express
 */
export function format(this: Res, obj: Record<string, FormatHandler>): Res {
  return formatBy(mediaTypeOf, this, obj);
}

/** The same with the media types of one Express. */
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
 * Adds fields to Vary, those that it does not have.
 *
 * @throws TypeError for no field, or a name that is no token
 */
export function vary(this: Res, field: string | string[]): Res {
  varyPackage()(this, field);
  return this;
}
