import type { RoutingDialect } from './dialect.js';
import type { WalkedLayer } from './shapes.js';
import { Shortlist, type Positions } from './shortlist.js';
import { kShortlist, kWatched, type WatchedStack } from './watched-stack.js';

/** An owner of a stack and its shortlist. */
export interface Shortlisted {
  readonly stack: readonly WalkedLayer[];
  readonly [kWatched]?: WatchedStack;
  [kShortlist]?: Shortlist | undefined;
}

/** Up to this many layers, asking each costs less than looking up which to ask (Node 24: both take 0.9 µs at about ten). */
const WORTHWHILE = 10;

/**
 * A position in a stack. It walks the layers in order, and leaves out those that cannot match when there are many.
 *
 * The stack may change at any time, even by a handler: a running walk then asks every layer from its position on. A walk
 * is a cursor itself: a separate one would be one more object for each request. It implements this interface and extends no
 * class, because V8 makes instances of derived classes by a call that costs 50 ns.
 */
export interface Cursor {
  readonly owner: Shortlisted;
  readonly dialect: RoutingDialect;
  readonly layers: readonly WalkedLayer[];
  /** Undefined if the user assigned another array as stack. */
  readonly watched: WatchedStack | undefined;
  /** The number of layers that were passed, including those left out. */
  index: number;
  /** The path for which the stack was last looked up in its shortlist; undefined for a short stack. */
  listedFor: string | undefined;
  /** Undefined if each layer from `index` on is asked; otherwise the candidates are asked. */
  shortlist: Shortlist | undefined;
  /** The positions in the stack of the layers that can match `listedFor`. */
  candidates: Positions;
  /** The index in `candidates` of the one that comes next. */
  nextCandidate: number;
}

export const NO_CANDIDATES: Positions = Object.freeze([]);

/** The stack of a router, if the array behind it may be read; undefined if the user assigned another array. */
export function watchedStackOf(owner: Shortlisted): WatchedStack | undefined {
  const watched = owner[kWatched];
  return watched !== undefined && watched.proxy === owner.stack ? watched : undefined;
}

/** The next layer that may match. The path may differ at each call. */
export function nextLayer(cursor: Cursor, path: string): WalkedLayer | undefined {
  const { layers } = cursor;
  if (layers.length >= WORTHWHILE && cursor.listedFor !== path) lookUpPath(cursor, path);
  if (cursor.shortlist !== undefined) return nextListed(cursor, cursor.shortlist);
  return cursor.index < layers.length ? layers[cursor.index++] : undefined;
}

function nextListed(cursor: Cursor, shortlist: Shortlist): WalkedLayer | undefined {
  const { layers, candidates } = cursor;
  if (!isCurrent(cursor, shortlist)) {
    cursor.shortlist = undefined;
    return cursor.index < layers.length ? layers[cursor.index++] : undefined;
  }
  if (cursor.nextCandidate >= candidates.length) {
    cursor.index = layers.length;
    return undefined;
  }
  const index = candidates[cursor.nextCandidate++];
  cursor.index = index + 1;
  return layers[index];
}

function isCurrent({ watched, layers }: Cursor, shortlist: Shortlist): boolean {
  if (!shortlist.isUpToDate) return false;
  return watched === undefined ? shortlist.describes(layers) : shortlist.version === watched.version;
}

/** Finds the candidates for a path, or decides that each layer is asked. */
function lookUpPath(cursor: Cursor, path: string): void {
  const { owner, layers, dialect, watched } = cursor;
  cursor.listedFor = path;
  cursor.shortlist = undefined;
  if (!dialect.matchesPlainly()) return;
  const keeper = watched ?? owner;
  let shortlist = keeper[kShortlist];
  if (shortlist === undefined || !isCurrent(cursor, shortlist)) {
    shortlist = new Shortlist(layers, dialect, watched?.version ?? -1);
    // A program may have frozen its router.
    if (Object.isExtensible(keeper)) keeper[kShortlist] = shortlist;
  }
  if (shortlist.size < WORTHWHILE) return;
  const candidates = shortlist.candidates(path);
  let next = 0;
  while (next < candidates.length && candidates[next] < cursor.index) next++;
  cursor.shortlist = shortlist;
  cursor.candidates = candidates;
  cursor.nextCandidate = next;
}
