import type { Connection } from './connection.js';
import type { EngineRequest } from './messages.js';

/**
 * Leaves HTTP: the socket goes to the listener of `'upgrade'` or `'connect'` as if the engine had never been on it.
 *
 * @param head what arrived behind the head of the request
 */
export function handOver(connection: Connection, req: EngineRequest, head: Buffer): void {
  const { server, socket } = connection;
  connection.release();
  const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  (socket as { parser?: null }).parser = null;
  // As node leaves it: neither flowing nor paused, so that the next 'data' listener starts it.
  (socket as { readableFlowing: boolean | null }).readableFlowing = null;
  server.emit(event, req, socket, head);
}
