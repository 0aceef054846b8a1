import { Duplex } from 'node:stream';

/** One end of a connection in memory. What is written while it is held goes out as one piece. */
export class End extends Duplex {
  private other!: End;
  private held: Buffer[] | null = null;

  /** Two ends of one connection. */
  static pair(): [near: End, far: End] {
    const [near, far] = [new End(), new End()];
    [near.other, far.other] = [far, near];
    return [near, far];
  }

  hold(): void {
    this.held ??= [];
  }

  /** The other end gets all that was written meanwhile, inside this call if it is being read. */
  release(): void {
    const { held } = this;
    this.held = null;
    if (held !== null && held.length !== 0 && !this.other.destroyed) this.other.push(Buffer.concat(held));
  }

  override _read(): void {}

  override _write(octets: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.held !== null) this.held.push(octets);
    else if (!this.other.destroyed) this.other.push(octets);
    done();
  }

  override _final(done: () => void): void {
    this.release();
    if (!this.other.destroyed) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.other.destroyed && !this.other.readableEnded) setImmediate(() => this.other.destroy());
    done(error);
  }
}
