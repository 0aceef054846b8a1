import type { RoutingDialect } from './dialect.js';
import type { WalkedLayer } from './shapes.js';
import { Shortlist, type Positions } from './shortlist.js';
import { kWatched, type WatchedStack } from './watched-stack.js';

/** Where a router keeps the shortlist of its stack between requests. */
const kShortlist: unique symbol = Symbol('nonstop.shortlist');

/** What has a stack, and room for its shortlist. */
export interface Shortlisted {
  readonly stack: readonly WalkedLayer[];
  readonly [kWatched]?: WatchedStack;
  [kShortlist]?: Shortlist | undefined;
}

/** To ask so few layers costs less than to look up which (measured on Node 24: both take 0.9 µs at about ten). */
const WORTHWHILE = 10;

/**
 * A place in a stack, from which its layers are gone through in order, the ones that cannot match left out where there are many.
 *
 * The stack may change at any time, by a handler too: a walk under way then asks every layer from where it is. A walk is a
 * cursor and does not own one, which would be one more object for each request; and it implements this instead of extending
 * a class, for V8 makes instances of derived classes by a call that costs 50 ns.
 */
export interface Cursor {
  readonly owner: Shortlisted;
  readonly dialect: RoutingDialect;
  readonly layers: readonly WalkedLayer[];
  /** Undefined where the user has put a stack of his own. */
  readonly watched: WatchedStack | undefined;
  /** How many layers of the stack are behind; those left out count. */
  index: number;
  /** The path that `candidates` are of, those layers that the shortlist leaves in, and how many of them are behind. */
  listedFor: string | undefined;
  shortlist: Shortlist | undefined;
  candidates: Positions;
  candidate: number;
}

export const NO_CANDIDATES: Positions = Object.freeze([]);

/** The stack behind the proxy, unless the user has put one of his own. */
export function watchedStackOf(owner: Shortlisted): WatchedStack | undefined {
  const watched = owner[kWatched];
  return watched !== undefined && watched.proxy === owner.stack ? watched : undefined;
}

/** The next layer that may match. The path may be another one each time. */
export function nextLayer(cursor: Cursor, path: string): WalkedLayer | undefined {
  const { layers } = cursor;
  if (layers.length >= WORTHWHILE && cursor.listedFor !== path) list(cursor, path);
  if (cursor.shortlist !== undefined) return nextListed(cursor, cursor.shortlist);
  return cursor.index < layers.length ? layers[cursor.index++] : undefined;
}

function nextListed(cursor: Cursor, shortlist: Shortlist): WalkedLayer | undefined {
  const { layers, candidates } = cursor;
  if (!isCurrent(cursor, shortlist)) {
    cursor.shortlist = undefined;
    return cursor.index < layers.length ? layers[cursor.index++] : undefined;
  }
  if (cursor.candidate >= candidates.length) {
    cursor.index = layers.length;
    return undefined;
  }
  const index = candidates[cursor.candidate++];
  cursor.index = index + 1;
  return layers[index];
}

function isCurrent({ watched, layers }: Cursor, shortlist: Shortlist): boolean {
  return watched === undefined ? shortlist.describes(layers) : shortlist.version === watched.version;
}

function list(cursor: Cursor, path: string): void {
  const { owner, layers, dialect } = cursor;
  cursor.listedFor = path;
  cursor.shortlist = undefined;
  if (!dialect.matchesPlainly) return;
  let shortlist = owner[kShortlist];
  if (shortlist === undefined || !shortlist.isUpToDate || !isCurrent(cursor, shortlist)) {
    owner[kShortlist] = shortlist = new Shortlist(layers, dialect, cursor.watched?.version ?? -1);
  }
  if (shortlist.size < WORTHWHILE) return;
  const candidates = shortlist.candidates(path);
  let candidate = 0;
  while (candidate < candidates.length && candidates[candidate] < cursor.index) candidate++;
  cursor.shortlist = shortlist;
  cursor.candidates = candidates;
  cursor.candidate = candidate;
}
