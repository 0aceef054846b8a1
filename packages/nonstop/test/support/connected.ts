import { once } from 'node:events';
import net = require('node:net');

export interface Ends {
  /** The end that writes. */
  readonly socket: net.Socket;
  readonly peer: net.Socket;
  close(): void;
}

export async function connected(): Promise<Ends> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  peer.pause();
  const [socket] = (await once(server, 'connection')) as [net.Socket];
  socket.on('error', () => {});
  peer.on('error', () => {});
  return {
    socket,
    peer,
    close: () => {
      peer.destroy();
      socket.destroy();
      server.close();
    },
  };
}

export async function received(peer: net.Socket, octets: number): Promise<string> {
  let text = '';
  for await (const chunk of peer) {
    text += (chunk as Buffer).toString('latin1');
    if (text.length >= octets) break;
  }
  return text;
}
