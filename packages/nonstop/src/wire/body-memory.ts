/** Memory for a body of a known length, into which the parser copies what it reads. */
export interface BodyMemory {
  /** False if further pieces are for a stream. */
  readonly isOpen: boolean;
  /**
   * Copies a piece of the body behind those before it.
   *
   * @param octets may be overwritten when this returns
   * @returns the piece, in its place; null if the memory is closed
   */
  take(octets: Buffer, start: number, end: number): Buffer | null;
}
