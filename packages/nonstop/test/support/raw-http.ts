import net = require('node:net');
import tls = require('node:tls');
import { bounded, HANG_MS } from './bounded.js';
import { AnswerReader, type RawAnswer } from './raw-answer.js';

export { type RawAnswer } from './raw-answer.js';

/** How the server ended the connection: `end` is a clean FIN, `reset` an RST (or another socket error). */
export type Ending = 'end' | 'reset';

/** Where to connect: a port of 127.0.0.1, or anything with node's `address()` (a listening server). */
export type Target = number | { address(): net.AddressInfo | string | null };

/** `secure` uses TLS without checking the certificate; `paused` leaves arriving bytes in the kernel until `resume()`. */
export interface OpenOptions {
  readonly secure?: boolean;
  readonly paused?: boolean;
  /** Time limit for a wait, in ms; after it the wait counts as a hang. */
  readonly patience?: number;
}

/**
 * A client that sends exactly the given bytes and returns exactly the received bytes.
 * node:http's own client refuses to send invalid requests and hides the order and spelling of fields.
 */
export class RawClient {
  readonly socket: net.Socket;
  /** Resolves when the server has ended the connection (or it broke); never rejects. */
  readonly ended: Promise<Ending>;
  private readonly chunks: Buffer[] = [];
  private readonly reader = new AnswerReader();
  private readonly waiting: { resolve(answer: RawAnswer): void; reject(error: Error): void }[] = [];
  private readonly ready: RawAnswer[] = [];
  private over: Ending | undefined;
  /** The error for bytes that arrived without a pending request. */
  private broken: Error | undefined;

  private constructor(
    socket: net.Socket,
    private readonly patience: number,
  ) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    this.ended = new Promise((resolve) => {
      const finish = (how: Ending): void => {
        if (this.over !== undefined) return;
        this.over = how;
        this.settleAtEnd();
        resolve(how);
      };
      socket.on('end', () => {
        finish('end');
        socket.end();
      });
      socket.on('error', () => finish('reset'));
      socket.on('close', () => finish('reset'));
    });
  }

  /**
   * @param target where the server listens on 127.0.0.1
   * @returns a connected client
   * @throws the socket's error if nothing listens on the port
   */
  static async open(target: Target, options: OpenOptions = {}): Promise<RawClient> {
    const port = typeof target === 'number' ? target : portOf(target);
    const socket = await new Promise<net.Socket>((resolve, reject) => {
      const where = { port, host: '127.0.0.1', allowHalfOpen: true };
      const made: net.Socket = options.secure
        ? tls.connect({ ...where, rejectUnauthorized: false }, () => resolve(made))
        : net.connect(where, () => resolve(made));
      made.once('error', reject);
    });
    const client = new RawClient(socket, options.patience ?? HANG_MS);
    if (options.paused) socket.pause();
    return client;
  }

  get received(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** Complete answers without a request. */
  get unclaimed(): readonly RawAnswer[] {
    return this.ready;
  }

  /** The received octets that are not yet part of a complete answer. */
  get unread(): Buffer {
    return this.reader.unread;
  }

  /**
   * Sends bytes; a string is latin1, one byte for each character.
   * @returns once the kernel has taken them or the connection is closed, so a server that hangs up early is not a test failure
   */
  send(bytes: string | Uint8Array): Promise<void> {
    const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    return new Promise((resolve) => {
      if (this.socket.destroyed || this.socket.writableEnded) return resolve();
      this.socket.write(data, () => resolve());
    });
  }

  /** Sends FIN and continues to read. */
  finish(): void {
    if (!this.socket.destroyed) this.socket.end();
  }

  /** Closes the connection at once; `reset` sends RST instead of FIN. */
  drop(reset = false): void {
    if (reset) this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  /** Declares the methods of the next requests, because answers to HEAD and CONNECT are framed differently. */
  expecting(...methods: readonly string[]): this {
    this.reader.methods.push(...methods);
    return this;
  }

  /**
   * @returns the next final answer, with the 1xx heads before it
   * @throws if the connection ends first or the bytes are not an HTTP answer
   */
  answer(): Promise<RawAnswer> {
    const ready = this.ready.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.broken !== undefined) return Promise.reject(this.broken);
    if (this.over !== undefined) return Promise.reject(new Error(`connection over (${this.over}) before an answer`));
    return this.bounded(
      new Promise<RawAnswer>((resolve, reject) => this.waiting.push({ resolve, reject })),
      'an answer',
    );
  }

  /** @returns all bytes of the connection, once the server has ended it */
  async untilClose(): Promise<Buffer> {
    await this.bounded(this.ended, 'the end of the connection');
    return this.received;
  }

  /** @returns once the received octets contain `text` (latin1) @throws if the connection ends without it */
  async untilReceived(text: string): Promise<void> {
    const seen = new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (this.received.includes(text, 0, 'latin1')) done(resolve);
        else if (this.over !== undefined)
          done(() => reject(new Error(`connection over before ${JSON.stringify(text)}`)));
      };
      const done = (settle: () => void): void => {
        this.socket.off('data', look);
        settle();
      };
      this.socket.on('data', look);
      void this.ended.then(look);
      look();
    });
    await this.bounded(seen, JSON.stringify(text));
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    try {
      for (const answer of this.reader.push(chunk)) this.deliver(answer);
    } catch (error) {
      this.broken = error as Error;
      for (const waiter of this.waiting.splice(0)) waiter.reject(this.broken);
    }
  }

  private deliver(answer: RawAnswer): void {
    const waiter = this.waiting.shift();
    if (waiter === undefined) this.ready.push(answer);
    else waiter.resolve(answer);
  }

  private settleAtEnd(): void {
    const last = this.reader.finish();
    if (last !== undefined) this.deliver(last);
    for (const waiter of this.waiting.splice(0)) {
      waiter.reject(
        new Error(
          `connection over (${this.over}) before an answer; received ${JSON.stringify(this.received.toString('latin1'))}`,
        ),
      );
    }
  }

  private bounded<T>(promise: Promise<T>, what: string): Promise<T> {
    const received = (): string => JSON.stringify(this.received.toString('latin1').slice(0, 2_000));
    return bounded(promise, () => `${what}; received ${received()}`, this.patience);
  }
}

function portOf(target: Exclude<Target, number>): number {
  const address = target.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}
