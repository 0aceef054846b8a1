import { fork } from 'node:child_process';
import { once } from 'node:events';
import type http = require('node:http');
import type { AddressInfo } from 'node:net';
import path = require('node:path');
import type { Door } from '../support/doors.js';

/** Methods that end the idle connections of a server immediately. */
export const ENDINGS = ['close', 'closeIdleConnections', 'closeAllConnections'] as const;

export interface Idle {
  readonly door: Door;
  readonly connections: number;
  readonly ending: (typeof ENDINGS)[number];
}

export interface IdleBalance {
  /** Connections counted by the server after each had got an answer. */
  readonly open: number;
  /** Clients that have seen the end of their connection. */
  readonly ended: number;
  /** Connections counted by the server at the end. */
  readonly left: number;
}

/** Opens connections, gets one answer on each, leaves them idle, and ends them all from the server's side. */
export async function idle({ door, connections, ending }: Idle): Promise<IdleBalance> {
  const server = door.createServer({ keepAliveTimeout: 600_000 }, (_req, res) => res.end('idle'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = fork(path.join(__dirname, 'idle-clients.js'), [String(port), String(connections)]);
  // A process that fails has printed the reason.
  const left = once(clients, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the clients left with ${code}`);
  });
  try {
    await Promise.race([once(clients, 'message'), left]);
    const open = await count(server);
    const told = once(clients, 'message');
    const closed = once(server, 'close');
    if (ending !== 'close') server[ending]();
    server.close();
    await Promise.race([Promise.all([closed, told]), left.then(() => told)]);
    await left;
    return { open, ended: Number((await told)[0]), left: await count(server) };
  } finally {
    clients.kill();
    server.closeAllConnections();
    server.close();
  }
}

function count(server: http.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, open) => {
      if (error === null) resolve(open);
      else reject(error);
    });
  });
}
