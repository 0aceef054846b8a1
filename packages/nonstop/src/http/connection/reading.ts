import type { AsyncResource } from 'node:async_hooks';
import { CONTEXTS_ARE_FRAMES } from '../../node/differences.js';
import {
  callIn,
  callInDomain,
  captureContext,
  captureReadContext,
  isCurrentContext,
  runTicks,
  throwInTick,
  type Thrown,
} from '../../node/callback-scope.js';

/** What a connection does with a read. */
export const enum Phase {
  /** No read is being handled. */
  Nothing,
  /** Octets are parsed, and handlers run. */
  Parsing,
  /** As `Parsing`; a piece of a body came in this read, and no ticks have run since. */
  Owing,
  /** The process has its ticks in the middle of the read. */
  Ticking,
  /**
   * Handlers run, without ticks between them. A handler or a tick of a read has caused this read (an empty write to a TLS socket
   * decrypts further records): the outer read finishes responses and has the ticks. Or the octets came by an event of the stream.
   */
  AtOnce,
}

/**
 * The state of a connection's read. node's parser calls JavaScript for each part of a message: each call starts in the connection's
 * async context and is followed by ticks. Here a read is one call, so ticks that a program can notice run in the middle of it.
 */
export class Reading {
  private phase = Phase.Nothing;
  /** See {@link captureContext} and {@link captureReadContext}; null until the next read of a connection that node has served so far. */
  private context: AsyncResource | null = captureContext();
  /** Whether the socket's reads have another context than the connection, the same for its life; undefined before the first of them. */
  private socketIsElsewhere: boolean | undefined = undefined;
  /** The same for this read, or the last one, because of what caused it or what ran in it. */
  private readIsElsewhere = false;
  /** With AsyncContextFrame: a handler or a tick of this read may have entered a store, which the next handler would find. */
  private mayHaveEntered = false;
  /** The ticks belong to a message that is complete. */
  private isBehindMessage = false;
  /** See {@link headsAreApart}. */
  private batchesCame = false;
  /** The first error of a tick in the middle of this read. */
  private thrown: Thrown | null = null;

  /** No read is being handled. */
  get isOver(): boolean {
    return this.phase === Phase.Nothing;
  }

  /** Whether handlers run that this read called; their ticks come after the read. */
  get isHandling(): boolean {
    return this.phase !== Phase.Nothing && this.phase !== Phase.Ticking;
  }

  /** Whether ticks run in the middle of this read, inside of a message. */
  get isTicking(): boolean {
    return this.phase === Phase.Ticking && !this.isBehindMessage;
  }

  /** Whether ticks have to run before the next call of a handler. */
  get owesTicks(): boolean {
    return this.phase === Phase.Owing;
  }

  /** After the first batch of lines, node's parser passes on each head in a separate call before its message. */
  get headsAreApart(): boolean {
    return this.batchesCame;
  }

  get isAtOnce(): boolean {
    return this.phase === Phase.AtOnce;
  }

  /**
   * @param atOnce the octets came by an event of the stream
   * @returns the phase to which {@link end} goes back
   */
  begin(atOnce: boolean): Phase {
    const { phase } = this;
    if (phase === Phase.Nothing) this.readIsElsewhere = atOnce;
    // What this read brings may wait for the outer one, whose handler may have entered a store.
    else this.mayHaveEntered = CONTEXTS_ARE_FRAMES;
    this.context ??= captureReadContext();
    if (this.socketIsElsewhere === undefined && !atOnce) this.socketIsElsewhere = !isCurrentContext(this.context);
    this.phase = phase === Phase.Nothing && !atOnce ? Phase.Parsing : Phase.AtOnce;
    return phase;
  }

  /** All octets are parsed, or refused. @param before the result of {@link begin} */
  end(before: Phase): void {
    this.phase = before;
    if (before === Phase.Nothing) this.mayHaveEntered = false;
  }

  pieceCame(): void {
    if (this.phase === Phase.Parsing) this.phase = Phase.Owing;
  }

  /** A batch of lines came that node's parser passes on without the rest: trailers, or the first lines of a long head. */
  noteBatch(): void {
    this.batchesCame = true;
  }

  /**
   * Whether the current async context may be that of other code, so that the next handler has to be called in the connection's. With
   * AsyncContextFrame, `enterWith()` in one handler has no effect on the next, and ticks leave no frame behind. Before, the context belongs to the
   * calling resource, in node and here.
   *
   * @param more another request may follow in this read: what this handler enters is not for the handlers behind it
   */
  mustEnterContext(more: boolean): boolean {
    if (CONTEXTS_ARE_FRAMES && more) this.mayHaveEntered = true;
    return this.mayHaveEntered || this.isElsewhere;
  }

  /**
   * Whether the async context of this read, or of the last one, is that of other code, so that a listener has to be called in the connection's:
   * that of the socket's reads, of who caused a read in the middle of its own work, or of a tick that threw in the read, which leaves its
   * frame behind.
   */
  get isElsewhere(): boolean {
    return this.readIsElsewhere || this.socketIsElsewhere !== false || this.phase === Phase.AtOnce;
  }

  /**
   * Calls `act` in the connection's context. Never around a whole read: a tick that throws in the middle of it would leave node's stack of
   * async ids in disorder.
   */
  inContext<A extends unknown[]>(act: (...args: A) => void, ...args: A): void {
    if (this.isElsewhere) this.enterContext(act, ...args);
    else act(...args);
  }

  /** {@link inContext} where the current context is not the connection's, or no read has told whether it is. */
  enterContext<A extends unknown[], R>(act: (...args: A) => R, ...args: A): R {
    return this.context === null ? act(...args) : callIn(this.context, act, ...args);
  }

  /** {@link inContext} for a call that node makes for the parser itself: before AsyncContextFrame it has the parser's domain and no stores. */
  inParser<A extends unknown[]>(act: (...args: A) => void, ...args: A): void {
    if (CONTEXTS_ARE_FRAMES || this.context === null) this.inContext(act, ...args);
    else callInDomain(this.context, act, ...args);
  }

  /** The connection comes from node: this may run in the context of the request that node served last. */
  forgetContext(): void {
    this.context = null;
  }

  /**
   * Runs the ticks. {@link rethrow} throws the first error of one; further errors are uncaught exceptions at once.
   *
   * @param isBehindMessage the message is complete, except for what its listeners are told
   */
  runTicks(isBehindMessage: boolean): void {
    const { phase } = this;
    this.isBehindMessage = isBehindMessage;
    if (phase !== Phase.Nothing) this.phase = Phase.Ticking;
    const thrown = runTicks();
    this.mayHaveEntered = CONTEXTS_ARE_FRAMES;
    if (thrown !== null) this.readIsElsewhere = CONTEXTS_ARE_FRAMES;
    this.phase = phase === Phase.Owing ? Phase.Parsing : phase;
    if (thrown !== null && this.thrown !== null) throwInTick(thrown.error);
    else this.thrown ??= thrown;
  }

  /** Called when the read is handled. @throws the error of a tick */
  rethrow(): void {
    const { thrown } = this;
    if (thrown === null) return;
    this.thrown = null;
    throw thrown.error;
  }

  /** Called when the error of a handler ends the read: the error of a tick is thrown in a tick. */
  rethrowLater(): void {
    const { thrown } = this;
    if (thrown === null) return;
    this.thrown = null;
    throwInTick(thrown.error);
  }
}
