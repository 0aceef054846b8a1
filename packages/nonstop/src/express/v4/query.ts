import { lazy } from '../../core/lazy.js';
import { queryOf } from '../../routing/pathname.js';
import { parseExtended } from './express4.js';

const qs = lazy(() => require('qs') as typeof import('qs'));

type Parse = (query: string | null | undefined, options?: object) => unknown;

export interface QueriedRequest {
  url: string;
  query?: unknown;
  /** Both are there once an application has had the request. */
  readonly res?: unknown;
  readonly app?: unknown;
}

/**
 * Makes middleware that leaves the parsed query in `req.query`, unless that is there.
 *
 * @param options a parser, or the options of `qs`
 */
export const queryMiddleware = function query(
  options?: Parse | object,
): (req: QueriedRequest, res: unknown, next: () => void) => void {
  const parse: Parse =
    typeof options === 'function' ? (options as Parse) : (query, settings) => qs().parse(query as string, settings);
  const settings = typeof options === 'function' ? undefined : { allowPrototypes: true, ...definedOf(options) };
  return function query(req, _res, next) {
    if (!isQueried(req)) {
      const text = queryOf(req);
      // What `qs` makes of nothing, without loading it.
      const value = text === null && parse === parseExtended ? {} : parse(text, settings);
      if (req.query === undefined) req.query = value;
      else Object.defineProperty(req, 'query', { value, writable: true, enumerable: true, configurable: true });
    }
    next();
  };
};

/**
 * Whether a request has its query already. A request of the engine begins with the prototype of its application, which Express
 * gives it after this: what an application adds there under this name does not count.
 */
export function isQueried(req: QueriedRequest): boolean {
  if (!req.query) return false;
  return Object.hasOwn(req, 'query') || req.res !== undefined || req.app === undefined;
}

/** Options without an `allowPrototypes` that is undefined, which means its default. */
function definedOf(options: object | undefined): object {
  const { allowPrototypes, ...rest } = (options ?? {}) as { allowPrototypes?: unknown };
  return allowPrototypes === undefined ? rest : { ...rest, allowPrototypes };
}
