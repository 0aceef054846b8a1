import { lazy } from '../../core/lazy.js';
import { decodeParam } from './decode-param.js';
import type { Bound, PatternOptions } from './quick-pattern.js';
import type { Params } from '../shapes.js';

/** Matches a path; false if it does not match. */
export type Matcher = (path: string) => Bound | false;

const pathToRegexp = lazy(() => require('path-to-regexp') as typeof import('path-to-regexp'));

const TRAILING_SLASHES = /\/+$/;

/**
 * Opening brackets of capturing groups, with their name if any. As in Express, a bracket that is escaped or in a class
 * counts too.
 */
const GROUPS = /\((?!\?)|\(\?<(?![=!])([^>]*)>/g;

/**
 * Compiles any path that Express accepts.
 *
 * @throws TypeError of path-to-regexp, which names the position that it cannot parse
 */
export function compileMatcher(path: unknown, options: PatternOptions): Matcher {
  if (path instanceof RegExp) return regexpMatcher(path);
  const pattern = (options.trailing ? withoutTrailingSlashes(path) : path) as string;
  return pathToRegexp().match(pattern, { ...options, decode: decodeParam }) as Matcher;
}

/** Removes the slashes at the end of a path, for matching that ignores one. */
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
