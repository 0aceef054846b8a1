import { sharedSymbol } from '../core/shared.js';
import type { RoutedRequest } from './shapes.js';

/** The position of a request in a router. It is the innermost router's; a router that is left restores the outer one's. */
export interface Position {
  /** The path of the layer that matched last, as the user wrote it. */
  readonly pattern: unknown;
  /** `req.url` when its path was last read: before a mount path was cut off. */
  readonly url: string;
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
