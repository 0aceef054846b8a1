import { Buffer } from 'node:buffer';
import { bufferOf, copyOf } from '../../node/octets.js';
import type { BodyMemory } from '../../wire/body-memory.js';

/** The most octets of a body that are gathered. A longer one is read as a stream, and joined by its reader. */
const MOST = 64 * 1024 * 1024;

/** The first memory has place for this many octets, or for {@link GROWTH} times what has arrived, but never for more than was announced. */
const LEAST = 65_536;

/** A client that announces a long body gets no more than this many times what it has sent. */
const GROWTH = 8;

const NOTHING = Buffer.alloc(0);

/**
 * A body of an announced length that a parser collects and that comes in several reads: one piece of memory, into which each read is copied
 * from the memory that all connections share. As a stream it took a Buffer for each read, node's stream, and one more copy to join them.
 *
 * Measured: docs/decisions/0009.
 */
export class GatheredBody implements BodyMemory {
  private memory: Buffer = NOTHING;
  private size = 0;
  /**
   * Whether a stream would have passed on what came in the first read, and would pass on further pieces at once. Before that, listeners that a program
   * adds get all of it.
   */
  isFlowing = false;
  isOpen = true;

  /** @param length the announced one */
  constructor(
    pieces: readonly Buffer[],
    private readonly length: number,
  ) {
    if (pieces.length === 1 && pieces[0].length === length) {
      [this.memory] = pieces;
      this.size = length;
    } else {
      for (const piece of pieces) this.add(piece, 0, piece.length);
    }
  }

  /** @param length the announced one, in octets */
  static canGather(length: number): boolean {
    return length > 0 && length <= MOST;
  }

  take(octets: Buffer, start: number, end: number): Buffer | null {
    if (!this.isOpen) return null;
    const at = this.size;
    this.add(octets, start, end);
    return bufferOf(this.memory, at, this.size);
  }

  /** Whether a piece is a result of {@link take}. */
  has(piece: Buffer): boolean {
    return piece.buffer === this.memory.buffer;
  }

  /** Copies octets behind those before them. */
  add(octets: Buffer, start: number, end: number): void {
    const size = this.size + end - start;
    if (size > this.memory.length) this.grow(size);
    this.memory.set(octets.subarray(start, end), this.size);
    this.size = size;
  }

  private grow(size: number): void {
    const { memory } = this;
    this.memory = Buffer.allocUnsafeSlow(Math.min(this.length, Math.max(LEAST, size * GROWTH)));
    this.memory.set(memory.subarray(0, this.size));
  }

  /** @returns the body, which is complete */
  finish(): Buffer {
    return this.close(this.memory);
  }

  /** @returns the first `size` octets: the rest is read as a stream */
  giveUp(size: number): Buffer {
    return this.close(copyOf(this.memory, 0, size));
  }

  /** A connection that is idle keeps this object until its next body. */
  private close(octets: Buffer): Buffer {
    this.isOpen = false;
    this.memory = NOTHING;
    return octets;
  }
}
