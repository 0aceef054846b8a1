/**
 * Limit of the extensions of one chunk, in octets; more is refused with 413, as node does (an endless extension is an
 * attack).
 */
export const MAX_CHUNK_EXTENSIONS = 16_384;

/** From this line on, node's parser passes on the lines of a head in separate calls, before the head is complete. */
export const MANY_LINES = 32;

/** Limits of one head or trailer section. */
export interface HeadLimits {
  /** Octets of target, names and values. A head with this many or more is refused with 431. */
  readonly octets: number;
  /** Number of field lines. A head with more is refused with 431. */
  readonly lines: number;
}
