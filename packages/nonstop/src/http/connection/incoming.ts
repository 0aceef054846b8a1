import type { EngineRequest } from '../message.js';
import type { UpgradeStream } from './upgrade.js';

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

/** The message that a connection receives. One object for all its messages: a new one for each would be garbage. */
export class Incoming {
  private arriving = Arriving.Head;
  /** The request of every state but `Head`. */
  private message: EngineRequest | null = null;
  /** The stream of the state `Stream`. */
  private given: UpgradeStream | null = null;

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

  get stream(): UpgradeStream | null {
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
  giveStream(stream: UpgradeStream): void {
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
