/** Octets of chunk extensions in one body before it is refused with 413, as node does (an endless extension hides a body). */
export const MAX_CHUNK_EXTENSIONS = 16_384;

/** What one head, or one trailer section, may carry. */
export interface HeadLimits {
  /** Octets of target, names and values: at this many the head is refused with 431. */
  readonly octets: number;
  /** Field lines: one more is refused with 431. */
  readonly lines: number;
}
