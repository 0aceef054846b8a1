import { lazy } from '../../core/lazy.js';
import { decodeParam } from './decode-param.js';
import type { Bound, PatternOptions } from './quick-pattern.js';
import type { Params } from '../shapes.js';

/** Tries a path; false where it does not match. */
export type Matcher = (path: string) => Bound | false;

const pathToRegexp = lazy(() => require('path-to-regexp') as typeof import('path-to-regexp'));

const TRAILING_SLASHES = /\/+$/;

/**
 * Opening brackets of capturing groups, with the name where there is one. As in Express, a bracket that is escaped or in a
 * class takes a number too.
 */
const GROUPS = /\((?!\?)|\(\?<(?![=!])([^>]*)>/g;

/**
 * Any path that Express takes, compiled.
 *
 * @throws TypeError path-to-regexp's, which names the place in the path that it cannot read
 */
export function compileMatcher(path: unknown, options: PatternOptions): Matcher {
  if (path instanceof RegExp) return regexpMatcher(path);
  const pattern = (options.trailing ? withoutTrailingSlashes(path) : path) as string;
  return pathToRegexp().match(pattern, { ...options, decode: decodeParam }) as Matcher;
}

/** A path as it is matched where one slash more or less at its end does not matter. */
export function withoutTrailingSlashes(path: unknown): string {
  return path === '/' ? path : String(path).replace(TRAILING_SLASHES, '');
}

function regexpMatcher(regexp: RegExp): Matcher {
  let unnamed = 0;
  const keys = Array.from(regexp.source.matchAll(GROUPS), (group) => group[1] || String(unnamed++));
  return (path) => {
    const found = regexp.exec(path);
    if (found === null) return false;
    const params: Params = {};
    for (let i = 1; i < found.length; i++) {
      if (found[i] !== undefined) params[keys[i - 1]] = decodeParam(found[i]);
    }
    return { params, path: found[0] };
  };
}
