import { Layer } from './layer.js';
import { Shortlist, type Positions } from './shortlist.js';
import { kWatched, type WatchedStack } from './watched-stack.js';

/** Where a router keeps the shortlist of its stack between requests. */
const kShortlist: unique symbol = Symbol('nonstop.shortlist');

/** What has a stack, and room for its shortlist. */
export interface Shortlisted {
  readonly stack: Layer[];
  readonly [kWatched]?: WatchedStack;
  [kShortlist]?: Shortlist | undefined;
}

/** To ask so few layers costs less than to look up which (measured on Node 24: both take 0.9 µs at about ten). */
const WORTHWHILE = 10;

const plainMatch = Layer.prototype.match;

/**
 * Goes through the layers of a stack in order, the ones that cannot match left out where there are many.
 *
 * The stack may change at any time, by a handler too: a walk under way then asks every layer from where it is. A walk is a
 * cursor, and not the owner of one, because that would be one more object for each request.
 */
export class Cursor<Owner extends Shortlisted = Shortlisted> {
  /** How many layers of the stack are behind; those left out count. */
  private index = 0;
  protected readonly owner: Owner;
  private readonly layers: readonly Layer[];
  /** Undefined where the user has put a stack of his own. */
  private readonly watched: WatchedStack | undefined;
  private listedFor: string | undefined = undefined;
  private shortlist: Shortlist | undefined = undefined;
  private candidates: Positions = [];
  private candidate = 0;

  constructor(owner: Owner) {
    const { stack } = owner;
    const watched = owner[kWatched];
    this.owner = owner;
    this.watched = watched !== undefined && watched.proxy === stack ? watched : undefined;
    this.layers = this.watched === undefined ? stack : this.watched.layers;
  }

  /** Whether no layer is left at all. */
  protected get ended(): boolean {
    return this.index >= this.layers.length;
  }

  /** The next layer that may match. The path may be another one each time. */
  protected nextLayer(path: string): Layer | undefined {
    const stack = this.layers;
    if (stack.length >= WORTHWHILE && this.listedFor !== path) this.list(path);
    if (this.shortlist !== undefined) return this.nextListed(this.shortlist);
    return this.index < stack.length ? stack[this.index++] : undefined;
  }

  private nextListed(shortlist: Shortlist): Layer | undefined {
    const { layers: stack, candidates } = this;
    if (!this.isCurrent(shortlist)) {
      this.shortlist = undefined;
      return this.index < stack.length ? stack[this.index++] : undefined;
    }
    if (this.candidate >= candidates.length) {
      this.index = stack.length;
      return undefined;
    }
    const index = candidates[this.candidate++];
    this.index = index + 1;
    return stack[index];
  }

  private isCurrent(shortlist: Shortlist): boolean {
    return this.watched === undefined ? shortlist.describes(this.layers) : shortlist.version === this.watched.version;
  }

  private list(path: string): void {
    const { owner, layers: stack } = this;
    this.listedFor = path;
    this.shortlist = undefined;
    if (Layer.prototype.match !== plainMatch) return;
    let shortlist = owner[kShortlist];
    if (shortlist === undefined || !shortlist.isUpToDate || !this.isCurrent(shortlist)) {
      owner[kShortlist] = shortlist = new Shortlist(stack, this.watched?.version ?? -1);
    }
    if (shortlist.size < WORTHWHILE) return;
    const candidates = shortlist.candidates(path);
    let position = 0;
    while (position < candidates.length && candidates[position] < this.index) position++;
    this.shortlist = shortlist;
    this.candidates = candidates;
    this.candidate = position;
  }
}
