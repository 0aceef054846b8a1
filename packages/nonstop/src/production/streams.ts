import type { Held } from './held.js';

/** RFC 6455 §5.5.1: a close frame, without mask, with the status 1001 (going away) of §7.4.1. */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);

/** A connection without a natural end: a WebSocket, or an event stream. */
export function isStream({ upgraded, current }: Held): boolean {
  if (upgraded !== undefined) return true;
  return current !== null && /^text\/event-stream\b/i.test(String(current.getHeader('content-type') ?? ''));
}

/**
 * Ends a stream by its protocol, so that its client reconnects elsewhere: an EventSource reconnects when its answer ends,
 * a WebSocket's client gets 1001. Connections of other protocols are ended with FIN.
 */
export function endStream({ upgraded, current, socket }: Held): void {
  if (upgraded === undefined) {
    // Its handler may write once more before it hears of the end: an 'error' that nobody listens to would end the process, with all it has in hand.
    current?.on('error', () => undefined).end();
  } else if (/^websocket$/i.test(upgraded) && socket.writable) socket.end(GOING_AWAY);
  else socket.end();
}
