import type { End } from '../../support/in-memory.js';
import type { Seeded } from '../../support/seeded.js';
import { arePartOf } from './marks.js';

/** A piece of a body that a handler has kept. */
interface Kept {
  readonly mark: string;
  readonly start: number;
  readonly piece: Buffer;
}

/** Pieces that are kept at a time. */
const MOST_KEPT = 200;

/**
 * What is tried besides: handlers that throw in a program that survives it, or reads of a connection inside a handler of another one. Not both: node
 * ends the process if an error is thrown through a TLS socket that is read inside another callback.
 */
export type Kind = 'throwing' | 'nested';

/** What the clients and the handlers of one run share. */
export class World {
  readonly random: Seeded;
  /** What crossed from one client to another, was lost or was changed. */
  readonly faults: string[] = [];
  /** By behaviour: how many requests had it. */
  readonly handled = new Map<string, number>();
  answers = 0;
  /** Ends of connections whose octets wait for a handler of another connection. */
  readonly held = new Set<End>();
  /** How many of these were read inside a handler. */
  nested = 0;
  /** The clients by the ports of their connections. */
  readonly owners = new Map<string, string>();
  private readonly kept: Kept[] = [];

  constructor(
    random: Seeded,
    readonly kind: Kind,
    /** Changes the memory that connections share, as the read of a client does that is none of these. */
    private readonly readAnother: () => void,
  ) {
    this.random = random;
  }

  fault(text: string): void {
    if (this.faults.length < 20) this.faults.push(text.slice(0, 400));
  }

  /** Called at each place where code of a program runs: another connection may be read there. */
  touch(): void {
    this.readAnother();
    if (this.held.size === 0 || !this.random.chance(0.3)) return;
    const [end] = this.held;
    this.held.delete(end);
    this.nested++;
    end.release();
  }

  /** Keeps a piece, or makes it useless for everyone who still has the same memory. */
  use(mark: string, start: number, piece: Buffer): void {
    this.readAnother();
    if (!arePartOf(mark, start, piece)) this.fault(`${mark} got ${piece.toString('latin1').slice(0, 60)} at ${start}`);
    const use = this.random.pick(['keep', 'fill', 'transfer', 'none']);
    if (use === 'keep') this.kept.push({ mark, start, piece });
    else if (use === 'fill') piece.fill('!');
    else if (use === 'transfer' && piece.length === piece.buffer.byteLength)
      structuredClone(piece.buffer, { transfer: [piece.buffer as ArrayBuffer] });
    if (this.kept.length > MOST_KEPT) this.look(this.kept.splice(0, MOST_KEPT / 2));
  }

  lookAtKept(): void {
    this.look(this.kept);
  }

  private look(kept: readonly Kept[]): void {
    for (const { mark, start, piece } of kept)
      if (!arePartOf(mark, start, piece)) this.fault(`a piece that ${mark} has kept was changed`);
  }
}
