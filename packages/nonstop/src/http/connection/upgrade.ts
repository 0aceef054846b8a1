import type { Duplex } from 'node:stream';
import type { Connection } from './connection.js';
import type { EngineRequest } from '../message-types.js';
import { UpgradeStream } from './upgrade-stream.js';

const NOTHING = Buffer.alloc(0);

/**
 * Leaves HTTP: the socket goes to the listener of `'upgrade'` or `'connect'` as if the engine had never been on it. While the
 * body of the request is still arriving the listener has a stream in front of the socket, and the engine reads on.
 *
 * @param head what arrived behind the request
 */
export function handOver(connection: Connection, req: EngineRequest, head: Buffer): void {
  const { socket, upgraded } = connection;
  if (!req.complete) {
    if (upgraded !== null) return;
    connection.upgraded = new UpgradeStream(socket, req);
    tell(connection, req, connection.upgraded, NOTHING);
    return;
  }
  connection.release();
  (socket as { parser?: null }).parser = null;
  if (upgraded !== null) upgraded.begin(head);
  else tell(connection, req, socket, head);
}

function tell({ server, socket }: Connection, req: EngineRequest, stream: Duplex, head: Buffer): void {
  const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  // As node leaves it: neither flowing nor paused, so that the next 'data' listener starts it.
  (socket as { readableFlowing: boolean | null }).readableFlowing = null;
  server.emit(event, req, stream, head);
}
