import { monotonicNow } from '../../core/clock.js';
import { SILENT_CONNECTIONS_ARE_IDLE } from '../../node/differences.js';
import type { NodeServer } from '../message.js';
import type { HttpSocket } from './socket-listeners.js';

/** What has to arrive in time. */
const enum Due {
  /** The first message, from the moment the connection opened. */
  First,
  /** Nothing: the last message has arrived, the next has not begun. */
  Nothing,
  /** The rest of a message that has begun. */
  Message,
}

const NOT_IDLE = -1;

/** Whose tick counts the time of idle connections, which is cheaper than asking for it. */
export interface Ticker {
  readonly server: NodeServer;
  readonly tick: number;
}

/** How long a connection has waited: for the rest of a message, or for the next one. */
export class Clock {
  private readonly ticker: Ticker;
  private readonly socket: HttpSocket;
  private due = Due.First;
  /** When what is {@link Due} began ({@link monotonicNow}); infinite once it was told that it is late. */
  private dueSince = monotonicNow();
  /** Tick at which the connection fell idle. */
  private idleSince = NOT_IDLE;
  /** See {@link parkTimeout}. */
  private timeoutParked = false;
  /** It is to be parked once the last answer is out. */
  private parksLater = false;

  constructor(ticker: Ticker, socket: HttpSocket) {
    this.ticker = ticker;
    this.socket = socket;
  }

  /** Whether the last message has arrived, and of the next one nothing. */
  get isNothingDue(): boolean {
    return this.due === Due.Nothing;
  }

  /** Whether a connection on which nothing is under way counts as idle for those who close idle ones. */
  get isIdle(): boolean {
    return this.due === Due.Nothing || (SILENT_CONNECTIONS_ARE_IDLE && this.due === Due.First);
  }

  /** Until a head is complete it is the time between octets that counts, as on a socket of node's. */
  octetsCame(): void {
    if (this.idleSince !== NOT_IDLE) this.idleSince = this.ticker.tick;
  }

  headCame(): void {
    // As under node, what was set while it was idle was for that time.
    if (this.timeoutParked || (this.idleSince !== NOT_IDLE && this.socket.timeout)) this.unparkTimeout();
    this.idleSince = NOT_IDLE;
  }

  messageCame(): void {
    this.due = Due.Nothing;
  }

  /** A read ends inside of a message. Its deadlines count from the read that brought its first octet. Most messages are one read and need no time. */
  messageIsDue(): void {
    if (this.due === Due.Message) return;
    this.due = Due.Message;
    this.dueSince = monotonicNow();
  }

  /**
   * Whether what is due is late. It is told once: a `'clientError'` listener may leave the connection open.
   *
   * @param now of {@link monotonicNow}
   * @param limit ms; 0 for none
   */
  isLate(now: number, limit: number): boolean {
    if (this.due === Due.Nothing || limit === 0 || now - this.dueSince < limit) return false;
    this.dueSince = Number.POSITIVE_INFINITY;
    return true;
  }

  /** Nothing is left to receive or to answer: from here on `keepAliveTimeout` counts. */
  fallIdle(): void {
    if (this.idleSince !== NOT_IDLE) return;
    this.idleSince = this.ticker.tick;
    this.parksLater = false;
    if (this.socket.timeout) this.parkTimeout();
  }

  /** A tick has passed. Closes a connection that has been idle for longer than this many. */
  closeIdle(ticks: number): void {
    const { idleSince, socket, ticker } = this;
    if (idleSince === NOT_IDLE) return;
    if (this.isSending) {
      this.idleSince = ticker.tick;
      return;
    }
    // For a stream that is no socket node has no timeout to set.
    if (typeof socket.setTimeout !== 'function') return;
    if (this.parksLater && socket.timeout) this.parkTimeout();
    this.parksLater = false;
    // A tick may have been about to end when the connection fell idle, hence one more.
    if (ticker.tick - idleSince <= ticks) return;
    this.idleSince = NOT_IDLE;
    // By way of the socket, as node's timer: whoever listens there hears it.
    socket.emit('timeout');
  }

  /**
   * The last answer is still on its way to a slow reader. Until it is out a connection is not idle (node begins to count with
   * `'finish'`), or whoever reads for longer than `keepAliveTimeout` would get a part of it.
   */
  private get isSending(): boolean {
    return this.socket.writableLength !== 0;
  }

  /**
   * Switches the socket's own timeout off while its connection is idle: there `keepAliveTimeout` alone counts, as under node.
   * `server.timeout` may be shorter than what `Keep-Alive` has promised, and what a handler has set is for its own request. What is set
   * later stays.
   */
  private parkTimeout(): void {
    if (!(this.ticker.server.keepAliveTimeout > 0)) return;
    if (this.isSending) {
      this.parksLater = true;
      return;
    }
    this.timeoutParked = true;
    this.socket.setTimeout(0);
  }

  /** Something has arrived on a connection that was idle. */
  private unparkTimeout(): void {
    this.timeoutParked = false;
    this.socket.setTimeout(this.ticker.server.timeout || 0);
  }
}
