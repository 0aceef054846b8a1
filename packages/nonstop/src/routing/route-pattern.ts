import { sharedSymbol } from '../core/shared.js';
import { kPosition, type Position, type Positioned } from './matched-pattern.js';

const kFailedRoute: unique symbol = sharedSymbol('failedRoute') as never;

interface MaybeRouted extends Positioned {
  [kFailedRoute]?: string;
  readonly route?: { readonly path?: unknown } | undefined;
}

/** Patterns of mount paths and routes put together, by both: a text that is put together anew has to be hashed anew. */
const joined = new Map<string, Map<string, string>>();

/** So many are kept; an application that makes its routes while it runs would fill the memory. */
const MOST_PATTERNS = 10_000;
let count = 0;

/**
 * The pattern of the route that has a request in hand, with those of the paths its routers are mounted on: `/users/:id`, and never
 * the address that was asked for. A handler that is no route, of static files say, has its mount path with `/*`.
 *
 * @returns the empty text where there is no route, and for requests of other frameworks
 */
export function routePattern(req: object): string {
  return currentPattern(req) || ((req as MaybeRouted)[kFailedRoute] ?? '');
}

/** The request has left its route with an error: who answers that stands elsewhere, and it is still the route that has failed. */
export function noteFailedRoute(req: object, error: unknown): void {
  if (error === 'route' || error === 'router') return;
  const pattern = currentPattern(req);
  if (pattern !== '') (req as MaybeRouted)[kFailedRoute] ??= pattern;
}

function currentPattern(req: object): string {
  const { [kPosition]: position, route } = req as MaybeRouted;
  if (position === undefined) return '';
  const pattern = patternText(position.pattern);
  const outer = position.outer === undefined ? '' : mountPattern(position.outer);
  if (isRoute(position, route?.path)) return joinPatterns(outer, pattern);
  const mount = joinPatterns(outer, pattern);
  return mount === '' || mount === '/' ? '' : joinPatterns(mount, '/*');
}

function isRoute({ pattern }: Position, path: unknown): boolean {
  return path !== undefined && (path === pattern || (Array.isArray(path) && path.includes(pattern)));
}

function mountPattern({ pattern, outer }: Position): string {
  return joinPatterns(outer === undefined ? '' : mountPattern(outer), patternText(pattern));
}

function patternText(pattern: unknown): string {
  if (typeof pattern === 'string') return pattern;
  if (pattern === undefined) return '';
  return Array.isArray(pattern) ? pattern.join('|') : String(pattern);
}

function joinPatterns(outer: string, inner: string): string {
  if (outer === '' || outer === '/') return inner;
  if (inner === '' || inner === '/') return outer;
  let known = joined.get(outer);
  if (known === undefined) joined.set(outer, (known = new Map()));
  let text = known.get(inner);
  if (text === undefined) {
    text = outer.replace(/\/$/, '') + (inner.startsWith('/') ? inner : `/${inner}`);
    if (++count <= MOST_PATTERNS) known.set(inner, text);
  }
  return text;
}
