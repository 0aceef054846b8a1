import { sharedSymbol } from '../core/shared.js';
import type { RoutedRequest, RoutedResponse } from './shapes.js';

/** The position of a request in its innermost router. Each router restores the position in the outer one when it is done. */
export interface Position {
  /** The path of the layer that matched last, as the user wrote it. */
  readonly pattern: unknown;
  /** `req.url` when its path was last read: before a mount path was cut off. */
  readonly url: string;
  /** The index of the next layer in that router. */
  readonly index: number;
  /** The position in the router around this one. */
  readonly outer: Position | undefined;
}

// Shared, so that metrics by route see the routes of every copy of Nonstop.
export const kPosition: unique symbol = sharedSymbol('position') as never;

/** A request that may be in a router. */
export interface Positioned {
  [kPosition]?: Position | undefined;
}

/** The path of the layer that matched last for this request. */
export function matchedPattern(req: RoutedRequest): unknown {
  return (req as Positioned)[kPosition]?.pattern;
}

const kFailedRoute: unique symbol = sharedSymbol('failedRoute') as never;

const kAnsweredRoute: unique symbol = sharedSymbol('answeredRoute') as never;

interface MaybeRouted extends Positioned {
  [kFailedRoute]?: string;
  [kAnsweredRoute]?: string;
  readonly route?: { readonly path?: unknown } | undefined;
}

/** Joined patterns, by mount path and route. A new text would have to be hashed again where it is the key of a table, as in metrics. */
const joined = new Map<string, Map<string, string>>();

/** The maximum number of joined patterns: an application that makes routes while it runs would fill memory. */
const MOST_PATTERNS = 10_000;
let count = 0;

/**
 * The pattern of the route that handles a request, with the mount paths of its routers: `/users/:id`, never the requested
 * path itself. A handler that is not a route, such as static files, has its mount path with `/*`.
 *
 * @returns '' if there is no route, and for requests of other frameworks
 */
export function routePattern(req: object): string {
  const { [kAnsweredRoute]: answered, [kFailedRoute]: failed } = req as MaybeRouted;
  return answered || currentPattern(req) || (failed ?? '');
}

/** A request leaves a route: if the answer has begun it is this route's, whatever runs after it. */
export function noteLeftRoute(req: object, res: RoutedResponse | undefined): void {
  // A router alone may be called without a response.
  if (res?.headersSent) (req as MaybeRouted)[kAnsweredRoute] ??= currentPattern(req);
}

/** Marks a request that left its route with an error: an error handler elsewhere responds, but this route failed. */
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

/** The path of the layer that a request is in, with the mount paths of its routers. */
export function mountedPattern(req: object): string {
  const { [kPosition]: position } = req as MaybeRouted;
  return position === undefined ? '' : mountPattern(position);
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
  const known = joined.get(outer)?.get(inner);
  if (known !== undefined) return known;
  const text = outer.replace(/\/$/, '') + (inner.startsWith('/') ? inner : `/${inner}`);
  if (count < MOST_PATTERNS) keepJoined(outer, inner, text);
  return text;
}

function keepJoined(outer: string, inner: string, text: string): void {
  let known = joined.get(outer);
  if (known === undefined) joined.set(outer, (known = new Map()));
  known.set(inner, text);
  count++;
}
