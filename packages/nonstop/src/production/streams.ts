import type http from 'node:http';
import type { Held } from './held.js';

/** RFC 6455 §5.5.1: a close frame, without mask, with the status 1001 (going away) of §7.4.1. */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);

/**
 * Ends what goes on for as long as both sides like, as its protocol has it, so that its client comes back elsewhere: an EventSource does when its
 * answer ends, a WebSocket's client is told 1001. What was upgraded to something else is ended with FIN.
 */
export function endStreams(held: Held): void {
  const { upgraded, socket, session, current } = held;
  if (upgraded === undefined) {
    const answers = session === undefined ? [current] : held.inHand().map(({ res }) => res);
    for (const res of answers) if (res !== null && isEventStream(res)) endAnswer(res);
  } else if (/^websocket$/i.test(upgraded) && socket.writable) socket.end(GOING_AWAY);
  else socket.end();
}

function isEventStream(res: http.ServerResponse): boolean {
  return /^text\/event-stream\b/i.test(String(res.getHeader('content-type') ?? ''));
}

function endAnswer(res: http.ServerResponse): void {
  // Its handler may write once more before it hears of the end: an 'error' that nobody listens to would end the process, with all it has in hand.
  res.on('error', () => undefined).end();
}
