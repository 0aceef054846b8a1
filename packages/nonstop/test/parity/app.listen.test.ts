import { once } from 'node:events';
import http = require('node:http');
import type net = require('node:net');
import { tmpdir } from 'node:os';
import path = require('node:path');
import type { Framework } from '../support/framework.js';
import { scenes } from '../support/scenes.js';

type Listen = (...args: unknown[]) => http.Server;

const listening = (make: Framework, ...args: unknown[]): http.Server =>
  (make() as unknown as { listen: Listen }).listen(...args);

/** A port that is in use while `body` runs. */
async function taken(body: (port: number) => Promise<unknown>): Promise<unknown> {
  const holder = http.createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  try {
    return await body((holder.address() as net.AddressInfo).port);
  } finally {
    holder.close();
  }
}

/** The events of a server and the calls of its callback until it listens or fails, in order. */
async function heard(make: Framework, args: readonly unknown[], withCallback: boolean): Promise<unknown[]> {
  const app = make();
  const seen: unknown[] = [];
  const callback = function (this: unknown, ...given: unknown[]): void {
    seen.push(['callback', this === server, given.map(codeOf)]);
  };
  const server = (app as unknown as { listen: Listen }).listen(...args, ...(withCallback ? [callback] : []));
  const settled = new Promise<void>((resolve) => {
    server.on('listening', () => (seen.push('listening'), resolve()));
    server.on('error', (error) => (seen.push(['error', codeOf(error)]), resolve()));
  });
  await settled;
  seen.push(['listens', server.listening, server instanceof http.Server, server.listenerCount('error')]);
  // The callback is called once: a later error does not call it again.
  server.emit('error', new Error('later'));
  if (server.listening) {
    server.close();
    await once(server, 'close');
  }
  return seen;
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : error;

function socket(make: Framework): string {
  const name = `nonstop-listen-${process.pid}-${String(make.name)}.sock`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), name);
}

scenes({
  'app.listen calls back when it listens': (make) => heard(make, [0, '127.0.0.1'], true),
  'app.listen without a callback': (make) => heard(make, [0, '127.0.0.1'], false),
  'app.listen with a callback alone': (make) => heard(make, [], true),
  'app.listen without arguments': (make) => heard(make, [], false),
  'app.listen with a backlog': (make) => heard(make, [0, '127.0.0.1', 5], true),
  'app.listen with options': (make) => heard(make, [{ port: 0, host: '127.0.0.1' }], true),
  'app.listen on a path': (make) => heard(make, [socket(make)], true),
  'app.listen on a path that cannot be made': (make) => heard(make, ['/nowhere/at/all.sock'], true),
  'app.listen on a port that is taken': (make) => taken((port) => heard(make, [port, '127.0.0.1'], true)),
  'app.listen on a port that is taken, without a callback': (make) =>
    taken((port) => heard(make, [port, '127.0.0.1'], false)),
  'app.listen on the address of another machine': (make) => heard(make, [0, '192.0.2.1'], true),
  'app.listen on a port that is none': (make) => listening(make, 70_000, () => undefined),
  'app.listen on what is no port': (make) => listening(make, { odd: true }, () => undefined),
  'app.listen with an end of its own': async (make) => {
    const server = listening(make, 0, '127.0.0.1');
    await once(server, 'listening');
    const ended = once(server, 'close');
    server.close();
    await ended;
    return [server.listening, server.address()];
  },
});
