import { monotonicNow } from '../../core/clock.js';
import { SILENT_CONNECTIONS_ARE_IDLE } from '../../node/differences.js';
import type { NodeServer } from '../message.js';
import type { HttpSocket } from './socket-listeners.js';

/** What the connection waits for. */
const enum Due {
  /** The first message, from the moment the connection opened. */
  First,
  /** Nothing: the last message is complete, the next has not begun. */
  Nothing,
  /** The rest of a message that has begun. */
  Message,
}

const NOT_IDLE = -1;
/** `'timeout'` was emitted for octets that wait after the answer. */
const TOLD = -2;
/** The socket is asked whether to emit it. */
const ASKED = -3;

const REPORTED = -1;

/** Its ticks count the time of idle connections, which is cheaper than reading a clock. */
export interface Ticker {
  readonly server: NodeServer;
  readonly tick: number;
}

/** The deadlines of a connection: for the rest of a message, or for the next one. */
export class Clock {
  private readonly ticker: Ticker;
  private readonly socket: HttpSocket;
  private due = Due.First;
  /** When the {@link Due} began ({@link monotonicNow}); {@link REPORTED} after its lateness was reported. */
  private dueSince = monotonicNow();
  /** The tick at which the connection became idle. */
  private idleSince = NOT_IDLE;
  /** Whether the socket's own timeout is switched off, as while the connection is idle ({@link parkTimeout}). */
  private isParked = false;

  constructor(ticker: Ticker, socket: HttpSocket) {
    this.ticker = ticker;
    this.socket = socket;
  }

  /** Whether the last message is complete, and nothing of the next one has arrived. */
  get isNothingDue(): boolean {
    return this.due === Due.Nothing;
  }

  /** Whether the connection counts as idle for `closeIdleConnections()`. */
  get isIdle(): boolean {
    return this.due === Due.Nothing || (SILENT_CONNECTIONS_ARE_IDLE && this.due === Due.First);
  }

  /** Until a head is complete, the timeout counts from the last octet, as on node's socket. */
  octetsCame(): void {
    if (this.idleSince !== NOT_IDLE) this.idleSince = this.ticker.tick;
  }

  headCame(): void {
    // As under node, a timeout that was set while idle ends with the idle time, if idle connections have one. That of the server may be new.
    const { idleSince, socket, ticker } = this;
    const ends = idleSince !== NOT_IDLE && (socket.timeout || ticker.server.timeout) && this.isIdleTimeLimited;
    if (this.isParked || ends) this.unparkTimeout();
    this.idleSince = NOT_IDLE;
  }

  messageCame(): void {
    this.due = Due.Nothing;
  }

  /**
   * A read ends inside a message. Its deadlines count from the read with its first octet. Most messages are one read and
   * need no clock.
   */
  messageIsDue(): void {
    if (this.due === Due.Message) return;
    this.due = Due.Message;
    this.dueSince = monotonicNow();
  }

  /**
   * Whether the {@link Due} is late. Returns true only once, because a `'clientError'` listener may leave the connection
   * open.
   *
   * @param now of {@link monotonicNow}
   * @param limit ms; 0 for none
   */
  isLate(now: number, limit: number): boolean {
    if (this.due === Due.Nothing || this.dueSince === REPORTED || limit === 0) return false;
    if (now - this.dueSince < limit) return false;
    this.dueSince = REPORTED;
    return true;
  }

  /** Nothing is left to receive or to send: `keepAliveTimeout` starts. */
  fallIdle(): void {
    if (this.idleSince !== NOT_IDLE) return;
    this.idleSince = this.ticker.tick;
    if (this.socket.timeout) this.parkTimeout();
  }

  /** A tick has passed. @returns whether the connection has been idle for longer than this many */
  isExpired(ticks: number): boolean {
    const { idleSince, socket, ticker } = this;
    // node sets no timeout on a stream that is not a socket.
    if (idleSince === NOT_IDLE || typeof socket.setTimeout !== 'function') return false;
    if (idleSince === TOLD) {
      // The timer of node's socket ends with its event, and begins again when the octets are sent.
      if (socket.writableLength === 0) this.idleSince = ticker.tick;
      return false;
    }
    // One more tick, because the connection may have become idle just before a tick.
    return ticker.tick - idleSince > ticks;
  }

  /** Emits `'timeout'` on the socket of an {@link isExpired} connection, which closes it. */
  closeExpired(): void {
    const { socket, ticker } = this;
    this.idleSince = NOT_IDLE;
    // A listener of another socket's `'timeout'` has destroyed this one.
    if (socket.destroyed) return;
    // Through the socket, as node's timer does, so that listeners of its `'timeout'` are called.
    if (socket.writableLength === 0 || socket._onTimeout === undefined) {
      socket.emit('timeout');
      return;
    }
    // Octets that the program wrote after the answer are waiting. node's method emits nothing if the kernel has taken some since its last call.
    this.idleSince = ASKED;
    socket._onTimeout();
    if (this.idleSince === ASKED) this.idleSince = ticker.tick;
  }

  /** The socket has emitted `'timeout'`. */
  told(): void {
    if (this.idleSince === ASKED) this.idleSince = TOLD;
  }

  /** Whether idle connections are closed: otherwise the socket's own timeout counts for them, too. */
  private get isIdleTimeLimited(): boolean {
    const { keepAliveTimeout } = this.ticker.server;
    return keepAliveTimeout > 0 && Number.isFinite(keepAliveTimeout);
  }

  /**
   * Switches the socket's own timeout off while its connection is idle: only `keepAliveTimeout` counts then, as under
   * node. `server.timeout` may be shorter than the time in `Keep-Alive`, and a handler's timeout is for its own request.
   * A timeout that is set later stays.
   */
  private parkTimeout(): void {
    if (!this.isIdleTimeLimited) return;
    this.isParked = true;
    this.socket.setTimeout(0);
  }

  /** Something has arrived on a connection that was idle. */
  private unparkTimeout(): void {
    this.isParked = false;
    // node sets no timeout on a stream that is not a socket.
    if (typeof this.socket.setTimeout === 'function') this.socket.setTimeout(this.ticker.server.timeout || 0);
  }
}
