import { once } from 'node:events';
import net = require('node:net');

/** A connection to `http://host:port` that has asked for a WebSocket. It stays half open when the server ends it. */
export async function upgrade(at: string, target: string, origin?: string): Promise<net.Socket> {
  const { hostname, port, host } = new URL(at);
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket, 'connect');
  const lines = [
    `GET ${target} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** The first line of the answer on a connection; empty if there is none. */
export const statusLine = (socket: net.Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes).split('\r\n')[0] ?? ''));
    socket.once('end', () => resolve(''));
    socket.once('error', ({ message }) => resolve(message));
  });
