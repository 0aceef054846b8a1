import { sharedSymbol } from '../core/shared.js';
import type { RoutedRequest } from './shapes.js';

/** Where a request is on its way through a router; the innermost router's, as routers give back what they found. */
export interface Position {
  /** The path of the layer that matched last, as the user wrote it. */
  readonly pattern: unknown;
  /** `req.url` when its path was last read: before a mount path was cut off. */
  readonly url: string;
  /** The position in the router around this one. */
  readonly outer: Position | undefined;
}

// Shared, so that who measures requests by their routes sees those of every copy.
export const kPosition: unique symbol = sharedSymbol('position') as never;

/** A request that a router may have in hand. */
export interface Positioned {
  [kPosition]?: Position | undefined;
}

/** The path of the layer that matched last for this request. */
export function matchedPattern(req: RoutedRequest): unknown {
  return (req as Positioned)[kPosition]?.pattern;
}
