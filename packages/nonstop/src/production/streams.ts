import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { sentHead } from '../node/sent-head.js';
import type { Held } from './held.js';

/** RFC 6455 §5.5.1: a close frame, without mask, with the status 1001 (going away) of §7.4.1. */
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);

/**
 * Ends event streams and upgraded connections as their protocols require, so that the client connects again elsewhere: an EventSource does so
 * when its answer ends, a WebSocket's client gets status 1001. Connections of other protocols are ended with FIN. It can be called again.
 */
export function endStreams(held: Held): void {
  const { upgraded, socket, session, current, tunnels } = held;
  if (upgraded === undefined) {
    const answers = session === undefined ? [current] : held.inHand().map(({ res }) => res);
    for (const res of answers) if (res !== null && !res.writableEnded && isEventStream(res)) endAnswer(res);
  } else if (held.waitsForUpgrade) refuseUpgrade(socket);
  else endTunnel(socket, upgraded);
  for (const [res, protocol] of tunnels ?? []) {
    // One that nobody has opened yet gets its answer first.
    if (res.headersSent) endTunnel((res as http.ServerResponse & { readonly stream: Duplex }).stream, protocol);
  }
}

/** Answers an upgrade that its listener has not answered yet: its client would take a frame for a broken answer. */
function refuseUpgrade(socket: Duplex): void {
  if (!socket.writable) return;
  // node has removed its listeners from this socket, and nobody may read it.
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
}

function endTunnel(stream: Duplex, protocol: string): void {
  if (!stream.writable) return;
  if (/^websocket$/i.test(protocol)) stream.write(GOING_AWAY);
  stream.end();
}

function isEventStream(res: http.ServerResponse): boolean {
  const type = res.getHeader('content-type');
  if (type !== undefined) return /^text\/event-stream\b/i.test(String(type));
  return /^content-type: *text\/event-stream\b/im.test(sentHead(res));
}

/** Answers whose `end()` was called. A replaced `end()` may take effect later, and must be called only once. */
const toldToEnd = new WeakSet<http.ServerResponse>();

function endAnswer(res: http.ServerResponse): void {
  if (toldToEnd.has(res)) return;
  toldToEnd.add(res);
  // Its handler may write after the end. Without a listener, that 'error' would end the process.
  res.on('error', () => undefined);
  try {
    res.end();
  } catch {
    // A middleware has replaced `end()`. What it throws must not end the drain of the other requests.
    res.destroy();
  }
}
