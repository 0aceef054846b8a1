import { monotonicNow } from '../../core/clock.js';
import type { Connection } from './connection.js';

/** The read ends inside of a message. Its deadlines count from the read that brought its first octet. Most messages are one read and need no time. */
export function noteMessageStart(connection: Connection): void {
  if (connection.begun && connection.messageStart !== 0) return;
  connection.begun = true;
  connection.messageStart = monotonicNow();
}

/** Nothing is left to receive or to answer: from here on `keepAliveTimeout` counts. */
export function fallIdle(connection: Connection): void {
  connection.idleSince = connection.engine.tick;
  if (connection.socket.timeout) parkTimeout(connection);
}

/**
 * Whether the last answer is still on its way to a slow reader. Until it is out a connection is not idle (node begins to count
 * with `'finish'`), or whoever reads for longer than `keepAliveTimeout` would get a part of it.
 */
export function isSending({ socket }: Connection): boolean {
  return socket.writableLength !== 0;
}

/**
 * Switches the socket's own timeout off while its connection is idle: there `keepAliveTimeout` alone counts, as under node.
 * `server.timeout` may be shorter than what `Keep-Alive` has promised, and what a handler has set is for its own request.
 */
export function parkTimeout(connection: Connection): void {
  if (isSending(connection) || !(connection.server.keepAliveTimeout > 0)) return;
  connection.timeoutParked = true;
  connection.socket.setTimeout(0);
}

/** Something has arrived on a connection that was idle. */
export function unparkTimeout(connection: Connection): void {
  connection.timeoutParked = false;
  connection.socket.setTimeout(connection.server.timeout || 0);
}
