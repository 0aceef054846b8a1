import type { Duplex } from 'node:stream';
import { AnswerReader, type RawAnswer } from '../../support/raw-answer.js';
import { foreign } from './marks.js';
import type { World } from './world.js';

/** A connection of one client. All that arrives has to be its own. */
export class Client {
  readonly stream: Duplex;
  isOver = false;
  private readonly reader = new AnswerReader();
  private readonly answers: RawAnswer[] = [];
  private wake = (): void => {};
  private tail = '';

  constructor(
    stream: Duplex,
    private readonly name: string,
    private readonly world: World,
  ) {
    this.stream = stream;
    stream.on('data', (data: Buffer) => this.take(data));
    stream.on('error', () => this.end());
    stream.on('end', () => this.end());
    stream.on('close', () => this.end());
  }

  expect(method: string): void {
    this.reader.methods.push(method);
  }

  /** The next answer; undefined if the connection is over. */
  async answer(): Promise<RawAnswer | undefined> {
    while (this.answers.length === 0 && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.answers.shift();
  }

  /** Sends octets, cut at random places. */
  async send(octets: Buffer, cuts: number): Promise<void> {
    const { random } = this.world;
    let at = 0;
    for (let i = 0; i < cuts && at < octets.length; i++) {
      const to = at + random.below(Math.min(octets.length - at, random.pick([20, 200, 100_000])) + 1);
      this.write(octets.subarray(at, to));
      at = to;
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.write(octets.subarray(at));
  }

  write(octets: Buffer): void {
    if (octets.length !== 0 && this.stream.writable) this.stream.write(octets);
  }

  private take(data: Buffer): void {
    const text = data.toString('latin1');
    const others = foreign(this.name, this.tail + text);
    if (others.length !== 0) this.world.fault(`${this.name} was sent octets of ${others.join()}`);
    this.tail = text.slice(-10);
    try {
      this.answers.push(...this.reader.push(data));
    } catch (error) {
      this.world.fault(`${this.name} got no answer: ${(error as Error).message}`);
      this.stream.destroy();
    }
    this.wake();
  }

  private end(): void {
    this.isOver = true;
    this.wake();
  }
}
