import { Buffer } from 'node:buffer';

/** The number of small pieces that are joined. */
const MOST = 64;
/** The most octets that these pieces may have together. */
const SMALL = 16_384;

/**
 * The pieces of a body that is being collected. A Buffer takes 200 octets besides its content: a client that sends a body in pieces of one
 * octet could take 200 times the limit of a parser. So small pieces are joined while they arrive.
 */
export class Pieces {
  readonly list: Buffer[] = [];
  size = 0;
  /** The index of the first piece after those that were joined, or were too large for it. */
  private loose = 0;

  add(piece: Buffer): void {
    const { list } = this;
    this.size += piece.length;
    if (list.push(piece) - this.loose === MOST) this.joinSmall();
  }

  private joinSmall(): void {
    const { list, loose } = this;
    const last = list.slice(loose);
    const size = last.reduce((sum, piece) => sum + piece.length, 0);
    if (size <= SMALL) {
      // Not of node's pool: a program may transfer the memory of a piece.
      const joined = Buffer.allocUnsafeSlow(size);
      let at = 0;
      for (const piece of last) {
        joined.set(piece, at);
        at += piece.length;
      }
      list.length = loose;
      list.push(joined);
    }
    this.loose = list.length;
  }
}
