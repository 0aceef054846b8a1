import type { EngineRequest } from '../message.js';

/** The part of a message that the parser reads next. */
const enum Arriving {
  /** A head, or empty lines before one. */
  Head,
  /** The body of a request that handlers have. */
  Body,
  /** The body, if any, of a request after which the connection leaves HTTP. */
  Upgrade,
  /** The same, and the listener has got a stream in front of the socket. */
  Stream,
}

/** What the listener of an upgrade gets in place of the socket, while the body of the request is still arriving. */
interface EarlyStream {
  /** The body is complete. @param head the octets that arrived after it */
  begin(head: Buffer): void;
}

/** The message that a connection receives. One object for all its messages: a new one for each would be garbage. */
export class Incoming {
  private arriving = Arriving.Head;
  /** The request of every state but `Head`. */
  private message: EngineRequest | null = null;
  /** The stream of the state `Stream`. */
  private given: EarlyStream | null = null;

  get isHead(): boolean {
    return this.arriving === Arriving.Head;
  }

  get isBody(): boolean {
    return this.arriving === Arriving.Body;
  }

  /** Whether the connection leaves HTTP when this message is complete. */
  get leaves(): boolean {
    return this.arriving >= Arriving.Upgrade;
  }

  get request(): EngineRequest | null {
    return this.message;
  }

  get stream(): EarlyStream | null {
    return this.given;
  }

  bodyFollows(request: EngineRequest): void {
    this.arriving = Arriving.Body;
    this.message = request;
  }

  upgradeFollows(request: EngineRequest): void {
    this.arriving = Arriving.Upgrade;
    this.message = request;
  }

  /** The listener gets `stream` before the body of the upgrade request is complete. */
  giveStream(stream: EarlyStream): void {
    this.arriving = Arriving.Stream;
    this.given = stream;
  }

  /** The message is complete. */
  headFollows(): void {
    this.arriving = Arriving.Head;
    this.message = null;
    this.given = null;
  }
}
