import type { RoutingDialect } from './dialect.js';
import type { WalkedLayer } from './shapes.js';
import { generation } from './generation.js';

/** Positions in a stack, ascending. */
export type Positions = readonly number[];

interface Node {
  statics: Map<string, Node> | undefined;
  param: Node | undefined;
  /** Layers whose path ends here. */
  readonly ends: number[];
  /** Layers that match every path below this one too. */
  readonly under: number[];
}

/**
 * Finds the layers of a stack that can match a path, with a tree of the segments of their paths.
 *
 * It only leaves out layers that cannot match: the walk asks each layer that is left, in the order of the stack, for its
 * match and its method. Letter case and slashes at the end are ignored, so the list may have too many layers, never too
 * few. The tests compare it with the plain walk over all layers. The last of 1,000 routes costs as much as the first.
 */
export class Shortlist {
  /** The version of the watched stack that this was made from. */
  readonly version: number;
  private readonly layers: readonly WalkedLayer[];
  private readonly dialect: RoutingDialect;
  private readonly generation = generation.current;
  /** Layers whose path needs a RegExp, and layers that match every path. */
  private readonly always: number[] = [];
  private readonly root: Node = newNode();

  constructor(stack: readonly WalkedLayer[], dialect: RoutingDialect, version: number) {
    this.version = version;
    this.dialect = dialect;
    this.layers = stack.slice();
    for (let i = 0; i < stack.length; i++) this.add(stack[i], i);
  }

  /** The number of layers that it can leave out. */
  get size(): number {
    return this.layers.length - this.always.length;
  }

  /** Whether every layer still matches the same paths. */
  get isUpToDate(): boolean {
    return this.generation === generation.current;
  }

  /** Whether an unwatched stack is unchanged since this was made. */
  describes(stack: readonly WalkedLayer[]): boolean {
    const { layers } = this;
    const { length } = layers;
    if (stack.length !== length) return false;
    for (let i = 0; i < length; i++) if (stack[i] !== layers[i]) return false;
    return true;
  }

  /** The layers that may match this path, by position. */
  candidates(path: string): Positions {
    let end = path.length;
    while (end > 0 && path.charCodeAt(end - 1) === 0x2f) end--;
    const lower = path.substring(0, end).toLowerCase();
    return this.collect(this.root, lower, 0, this.always);
  }

  private collect(node: Node, path: string, at: number, found: Positions): Positions {
    const above = merge(found, node.under);
    if (at >= path.length) return merge(above, node.ends);
    const slash = path.indexOf('/', at + 1);
    const end = slash === -1 ? path.length : slash;
    const child = node.statics?.get(path.substring(at + 1, end));
    const below = child === undefined ? above : this.collect(child, path, end, above);
    return node.param === undefined ? below : this.collect(node.param, path, end, below);
  }

  private add(layer: WalkedLayer, position: number): void {
    const pattern = this.dialect.patternOf(layer);
    const segments = pattern?.segments;
    if (segments === undefined) {
      this.always.push(position);
      return;
    }
    let length = segments.length;
    while (length > 0 && segments[length - 1] === '') length--;
    let node = this.root;
    for (let i = 0; i < length; i++) node = childOf(node, segments[i]);
    (pattern?.isPrefix ? node.under : node.ends).push(position);
  }
}

function newNode(): Node {
  return { statics: undefined, param: undefined, ends: [], under: [] };
}

function childOf(node: Node, segment: string | undefined): Node {
  if (segment === undefined) return (node.param ??= newNode());
  const statics = (node.statics ??= new Map());
  let child = statics.get(segment);
  if (child === undefined) statics.set(segment, (child = newNode()));
  return child;
}

function merge(a: Positions, b: Positions): Positions {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  const merged: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) merged.push(a[i] < b[j] ? a[i++] : b[j++]);
  while (i < a.length) merged.push(a[i++]);
  while (j < b.length) merged.push(b[j++]);
  return merged;
}
