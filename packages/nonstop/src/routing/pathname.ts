import { lazy } from '../core/lazy.js';

/**
 * The parts of a request that are read. `parseurl` caches its result on the request, and other packages share that cache.
 */
export interface HasUrl {
  url: string;
}

interface ParsedUrl {
  readonly pathname: string | null;
  readonly query: string | null;
}

/** Returns undefined for a request without a url. Reading a part of the result is a TypeError then, as in Express. */
export const parseUrl = lazy(() => require('parseurl') as (req: HasUrl) => ParsedUrl);

/**
 * The index at which the path of a request target ends: at `?` or at the end.
 *
 * @returns -1 for targets that need a full URL parser: absolute and asterisk forms (RFC 9112 §3.2), a fragment, white space
 */
function endOfPath(url: string): number {
  if (typeof url !== 'string' || url.charCodeAt(0) !== 0x2f) return -1;
  const length = url.length;
  if (length > LONG) {
    if (BREAKS.test(url)) return -1;
    const mark = url.indexOf('?');
    return mark === -1 ? length : mark;
  }
  let end = length;
  for (let i = 1; i < length; i++) {
    const c = url.charCodeAt(i);
    if (c === 0x3f) {
      if (end === length) end = i;
    } else if (c <= 0x23 ? isBreak(c) : c === 0xa0 || c === 0xfeff) {
      return -1;
    }
  }
  return end;
}

/** From this length on a regular expression is faster. */
const LONG = 64;

const BREAKS = /[\t\n\f\r #\xa0\ufeff]/;

/** TAB, LF, FF, CR, SP and `#`. */
function isBreak(c: number): boolean {
  return c === 0x23 || c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0c || c === 0x0d;
}

/**
 * The path of `req.url`; null if there is none. The same as `parseurl(req).pathname`, without making an object.
 */
export function pathnameOf(req: HasUrl): string | null {
  const url = req.url;
  const end = endOfPath(url);
  if (end >= 0) return end === url.length ? url : url.substring(0, end);
  return parseUrl()(req).pathname;
}

/** {@link pathnameOf}, for routing; undefined if the url cannot be parsed. Any client can send one: `GET http://[x/ HTTP/1.1`. */
export function routedPathOf(req: HasUrl): string | null | undefined {
  try {
    return pathnameOf(req);
  } catch {
    return undefined;
  }
}

/** The part of `req.url` after `?`; null if there is none. */
export function queryOf(req: HasUrl): string | null {
  const url = req.url;
  const end = endOfPath(url);
  if (end >= 0) return end === url.length ? null : url.substring(end + 1);
  return parseUrl()(req).query;
}

/**
 * The scheme and authority of an absolute `req.url`; mounting keeps them before the path.
 *
 * @returns '' in origin form
 */
export function protohostOf(url: string): string {
  if (typeof url !== 'string' || url.length === 0 || url.charCodeAt(0) === 0x2f) return '';
  const query = url.indexOf('?');
  const scheme = url.substring(0, query === -1 ? url.length : query).indexOf('://');
  return scheme === -1 ? '' : url.substring(0, url.indexOf('/', scheme + 3));
}
