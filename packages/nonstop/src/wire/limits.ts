/**
 * Limit of the extensions of one chunk, in octets; more is refused with 413, as node does (an endless extension is an
 * attack).
 */
export const MAX_CHUNK_EXTENSIONS = 16_384;

/** node's parser passes on the lines of a head or trailer section in batches of this many. */
export const LINES_AT_ONCE = 31;

/** The number of lines from which on a head comes in several of these batches, the first of them before the head is complete. */
export const MANY_LINES = LINES_AT_ONCE + 1;

/** The longest head that the fast parser gets, in octets. */
export const LONGEST_FAST_HEAD = 1024 * 1024;

/** Limits of one head or trailer section. */
export interface HeadLimits {
  /** Octets of target, names and values. A head with this many or more is refused with 431. */
  readonly octets: number;
  /** Number of field lines. A head with more is refused with 431. */
  readonly lines: number;
}
