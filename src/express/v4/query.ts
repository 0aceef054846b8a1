import { lazy } from '../../core/lazy.js';
import { queryOf } from '../../routing/pathname.js';
import { parseExtended } from './express4.js';

const qs = lazy(() => require('qs') as typeof import('qs'));

type Parse = (query: string | null | undefined, options?: object) => unknown;

interface QueriedRequest {
  url: string;
  query?: unknown;
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
    if (!req.query) {
      const text = queryOf(req);
      // What `qs` makes of nothing, without loading it.
      req.query = text === null && parse === parseExtended ? {} : parse(text, settings);
    }
    next();
  };
};

/** Options without an `allowPrototypes` that is undefined, which means its default. */
function definedOf(options: object | undefined): object {
  const { allowPrototypes, ...rest } = (options ?? {}) as { allowPrototypes?: unknown };
  return allowPrototypes === undefined ? rest : { ...rest, allowPrototypes };
}
