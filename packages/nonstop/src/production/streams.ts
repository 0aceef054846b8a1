import type { Held } from './held.js';

/** RFC 6455 §5.5.1: a frame that ends the connection, without mask, with the status 1001 (going away) of §7.4.1. */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);

/** A connection that goes on for as long as both sides like: a WebSocket, or an answer that is an event stream. */
export function isStream({ upgraded, current }: Held): boolean {
  if (upgraded !== undefined) return true;
  return current !== null && /^text\/event-stream\b/i.test(String(current.getHeader('content-type') ?? ''));
}

/**
 * Ends a stream as its protocol has it, so that its client comes back elsewhere: an EventSource does when its answer ends, a WebSocket's
 * client is told 1001. What was upgraded to something else is ended with FIN.
 */
export function endStream({ upgraded, current, socket }: Held): void {
  if (upgraded === undefined) current?.end();
  else if (/^websocket$/i.test(upgraded) && socket.writable) socket.end(GOING_AWAY);
  else socket.end();
}
