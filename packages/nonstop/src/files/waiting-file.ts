import type fs = require('node:fs');
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open files of responses that wait for their turn, by connection. */
const waiting = new WeakMap<Socket, Set<fs.ReadStream>>();

/**
 * Closes the file of a response that waits for its turn when the connection closes. `send` would leave it open for ever: it waits for the
 * socket of the response, which a closed connection never gives it. A client could use up the file descriptors of the process.
 */
export function closeWithConnection(file: fs.ReadStream, res: ServerResponse): void {
  const socket = res.socket === null ? (res.req?.socket as Socket | undefined) : undefined;
  if (typeof socket?.once !== 'function') return;
  if (socket.destroyed) {
    file.destroy();
    return;
  }
  const files = waiting.get(socket) ?? startWaiting(socket);
  files.add(file);
  file.once('close', () => files.delete(file));
}

function startWaiting(socket: Socket): Set<fs.ReadStream> {
  const files = new Set<fs.ReadStream>();
  waiting.set(socket, files);
  socket.once('close', () => {
    for (const file of files) file.destroy();
  });
  return files;
}
