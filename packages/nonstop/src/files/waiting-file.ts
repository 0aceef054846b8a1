import type fs = require('node:fs');
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open files of answers that wait behind others, by connection. */
const waiting = new WeakMap<Socket, Set<fs.ReadStream>>();

/**
 * Closes a file when the connection closes, if the answer waits behind another one. `send` would leave it open for ever: it waits for the
 * socket of the answer, which a closed connection never gives it. A client could use up the file descriptors of the process.
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
