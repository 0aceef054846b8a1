import { executionAsyncResource, type AsyncResource } from 'node:async_hooks';
import { CONTEXTS_ARE_FRAMES } from '../../node/differences.js';
import {
  callIn,
  callInDomain,
  captureContext,
  captureReadContext,
  isCurrentContext,
  resourceOfReads,
  restoreStores,
  runTicks,
  throwInTick,
  type Thrown,
} from '../../node/callback-scope.js';

/** What a connection does with a read. From `Parsing` on handlers run, and their ticks come later. */
export const enum Phase {
  /** No read is being handled. */
  Nothing,
  /** The process has its ticks in the middle of the read, and in the middle of a message. */
  Ticking,
  /** The same, after the trailers of a message: it is complete, but its listeners have not been told. */
  TickingBehind,
  /** Octets are parsed, and handlers run. */
  Parsing,
  /** As `Parsing`; a piece of a body came in this read, and no ticks have run since. */
  Owing,
  /**
   * Handlers run, without ticks between them. A handler or a tick of a read has caused this read (an empty write to a TLS socket
   * decrypts further records): the outer read finishes responses and has the ticks. Or the octets came by an event of the stream.
   */
  AtOnce,
}

/**
 * Whose async context is the current one, as far as a connection can tell. Handlers and listeners start in the connection's. To enter it takes 2,000
 * instructions or more, so they are called directly where it is the current one already.
 */
const enum Current {
  /** The connection's, or another with the same stores. */
  Own,
  /** With AsyncContextFrame: as `Own`, and a handler, a listener or a tick may have entered a store, which is not for the next request of the read. */
  Entered,
  /** That of other code: the handler that caused a read inside of its own work, the writer to a stream in memory, a tick that threw. */
  Others,
}

/** The state of a read that waits: a handler or a tick of it has caused another one. */
export interface OuterRead {
  readonly phase: Phase;
  readonly current: Current;
}

/**
 * The state of a connection's read. node's parser calls JavaScript for each part of a message: each call starts in the connection's
 * async context, and ticks run after some. Here a read is one call, so ticks that a program can notice run in the middle of it.
 */
export class Reading {
  private phase = Phase.Nothing;
  /** A batch of lines has come. From then on node's parser passes on the lines of each head in a call of their own, before its message. */
  headsAreApart = false;
  /** The first error of a tick in the middle of this read. */
  private thrown: Thrown | null = null;
  /** See {@link captureContext} and {@link captureReadContext}; null until the next read of a connection that node has served so far. */
  private context: AsyncResource | null = captureContext();
  /** Whether the socket's reads start in {@link Current.Own}, the same for its life; undefined before the first of them. */
  private isSocketInContext: boolean | undefined = undefined;
  /** That of the socket's reads, if handlers are called in it and leave their stores on it. */
  private resource: object | null = null;
  /** In this read, or after the last one. */
  private current = Current.Others;

  /**
   * @param atOnce the octets came by an event of the stream
   * @returns the read inside of which this one is, for {@link end}
   */
  begin(atOnce: boolean): OuterRead | null {
    const outer = this.phase === Phase.Nothing ? null : this.interrupt();
    this.context ??= captureReadContext();
    if (this.isSocketInContext === undefined && !atOnce) this.lookAround(this.context);
    const isAtOnce = atOnce || outer !== null;
    this.phase = isAtOnce ? Phase.AtOnce : Phase.Parsing;
    this.current = isAtOnce || !this.isSocketInContext ? Current.Others : Current.Own;
    return outer;
  }

  private lookAround(context: AsyncResource): void {
    this.isSocketInContext = isCurrentContext(context);
    if (this.isSocketInContext) this.resource = resourceOfReads();
  }

  private interrupt(): OuterRead {
    // The handler that has caused the read inside may have entered a store, and what that read brings may be parsed when the handler has returned.
    this.mayHaveEntered();
    return { phase: this.phase, current: this.current };
  }

  /** All octets are parsed, or refused. @param outer the result of {@link begin} */
  end(outer: OuterRead | null): void {
    if (outer === null) this.phase = Phase.Nothing;
    else ({ phase: this.phase, current: this.current } = outer);
  }

  /** No read is being handled. */
  get isOver(): boolean {
    return this.phase === Phase.Nothing;
  }

  /** Whether handlers run that this read called; their ticks come after the read. */
  get isHandling(): boolean {
    return this.phase >= Phase.Parsing;
  }

  // --- ticks -----------------------------------------------------------------------------------------------------

  /** Whether no ticks may run before the read is handled. */
  get isAtOnce(): boolean {
    return this.phase === Phase.AtOnce;
  }

  get isTickingInMessage(): boolean {
    return this.phase === Phase.Ticking;
  }

  /** Whether ticks have to run before the next call of a handler. */
  get owesTicks(): boolean {
    return this.phase === Phase.Owing;
  }

  /** A piece of a body came. Under node, ticks run after it. */
  pieceCame(): void {
    if (this.phase === Phase.Parsing) this.phase = Phase.Owing;
  }

  /**
   * Runs the ticks. {@link rethrow} throws the first error of one; further errors are uncaught exceptions at once.
   *
   * | what has come | ticks under node | ticks here |
   * |---|---|---|
   * | a batch of lines: the first 31 of a long head, or trailers | after the call | before the next call: of the head, of the message's end, or of a refusal |
   * | a head, the end of a message | none | none |
   * | a piece of a body | after the call | before the next call, if there is one in this read ({@link Phase.Owing}) |
   * | the end of the read | after the call | node runs them |
   */
  runTicks(ticking: Phase.Ticking | Phase.TickingBehind): void {
    const { phase } = this;
    if (phase !== Phase.Nothing) this.phase = ticking;
    const thrown = runTicks();
    this.mayHaveEntered();
    // A tick that throws leaves its frame behind, and before AsyncContextFrame its resource, until the error leaves the read.
    if (thrown !== null) this.current = Current.Others;
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

  // --- async context ---------------------------------------------------------------------------------------------

  /** The connection comes from node: this may run in the context of the request that node served last. */
  forgetContext(): void {
    this.context = null;
  }

  /** Whether the current async context will do for a listener. Otherwise it is that of other code, or no read has told. */
  get isInContext(): boolean {
    return this.current !== Current.Others;
  }

  /**
   * Whether the handler of a request has to be called in a scope of its own. An example: two requests come in one read, and the handler of the first
   * calls `enterWith(store)`. With AsyncContextFrame that lasts until the call that node has made returns: under node the call of this handler, here
   * that of the whole read. So the handler is called in a scope, and the store is gone after it. Without frames the store belongs to the connection, and
   * the second handler finds it, under node and here.
   *
   * @param nextMayFollow another request may follow in this read
   */
  mustEnterContext(nextMayFollow: boolean): boolean {
    // What was entered before this head is a store of an earlier request, which is not for the listeners of this one either.
    if (this.current === Current.Entered) this.current = Current.Others;
    return this.current === Current.Others || (CONTEXTS_ARE_FRAMES && nextMayFollow);
  }

  /** Code has run that may have entered a store. */
  private mayHaveEntered(): void {
    if (CONTEXTS_ARE_FRAMES && this.current === Current.Own) this.current = Current.Entered;
  }

  /** Calls `act` in the connection's context. */
  callInContext<A extends unknown[]>(act: (...args: A) => void, ...args: A): void {
    if (this.isInContext) act(...args);
    else this.enterContext(act, ...args);
  }

  /**
   * Calls `act` in a scope with the connection's context. Never a whole read: a tick that throws in the middle of it would leave node's stack of async
   * ids in disorder.
   */
  enterContext<A extends unknown[], R>(act: (...args: A) => R, ...args: A): R {
    return this.context === null ? act(...args) : callIn(this.context, act, ...args);
  }

  /**
   * The socket's next events are of no request of this connection: it leaves HTTP, or closes. Otherwise a WebSocket would have
   * the store of a request that came before it, which behind a proxy is another user's.
   */
  forgetStores(): void {
    if (this.resource !== null && this.context !== null) restoreStores(this.resource, this.context);
  }

  /** Calls `act` in the tick in which the socket tells of its end: that has the stores of the last read. */
  callForEnd(act: () => void): void {
    if (this.resource !== null && this.context !== null) restoreStores(executionAsyncResource(), this.context);
    act();
  }

  /**
   * {@link callInContext} for the listener of an upgrade, which node calls when its parser has no more to do with the connection: before
   * AsyncContextFrame it has the parser's domain and no stores.
   */
  callForUpgrade<A extends unknown[]>(act: (...args: A) => void, ...args: A): void {
    this.forgetStores();
    if (CONTEXTS_ARE_FRAMES || this.context === null) this.callInContext(act, ...args);
    else callInDomain(this.context, act, ...args);
  }
}
