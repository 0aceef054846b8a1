import { defineOwn } from '../../core/define-own.js';
import { qs } from '../../core/packages.js';
import { queryOf } from '../../routing/pathname.js';
import { parseExtended } from './express4.js';

type Parse = (query: string | null | undefined, options?: object) => unknown;

export interface QueriedRequest {
  url: string;
  query?: unknown;
  /** Both are set by the first application that handles the request. */
  readonly res?: unknown;
  readonly app?: unknown;
}

/**
 * Makes middleware that sets `req.query` to the parsed query, if it is not set.
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
      // The result of `qs` for an empty query, without loading `qs`.
      const value = text === null && parse === parseExtended ? {} : parse(text, settings);
      if (req.query === undefined) req.query = value;
      else defineOwn(req, 'query', value);
    }
    next();
  };
};

/**
 * Whether a request already has its query. The engine's requests start with their application's prototype, which Express
 * sets only after this; so a `query` that an application added to its prototype does not count.
 */
export function isQueried(req: QueriedRequest): boolean {
  if (!req.query) return false;
  return Object.hasOwn(req, 'query') || req.res !== undefined || req.app === undefined;
}

/** Removes `allowPrototypes` from the options if it is undefined, so that its default applies. */
function definedOf(options: object | undefined): object {
  const { allowPrototypes, ...rest } = (options ?? {}) as { allowPrototypes?: unknown };
  return allowPrototypes === undefined ? rest : { ...rest, allowPrototypes };
}
