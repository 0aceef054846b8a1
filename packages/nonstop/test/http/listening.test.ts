import assert = require('node:assert/strict');
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http = require('node:http');
import net = require('node:net');
import path = require('node:path');
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { doors, type Door } from '../support/doors.js';
import { folder } from '../support/folder.js';

const CHILD = path.join(__dirname, 'serving-child.js');

const echo: http.RequestListener = (req, res) => {
  const { remoteAddress, remoteFamily } = req.socket;
  res.end(`${req.method} ${req.url} ${remoteAddress} ${remoteFamily}`);
};

/** Sends two requests on one connection. @returns the answers, with the field that says whether the connection stays open */
async function twice(where: http.RequestOptions): Promise<string[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (asked: string): Promise<string> => {
    const req = http.request({ ...where, path: asked, agent, method: 'POST' });
    req.end('body');
    const [res] = (await once(req, 'response')) as [http.IncomingMessage];
    return `${res.statusCode} ${res.headers.connection} ${await text(res)}`;
  };
  try {
    return [await ask('/1'), await ask('/2')];
  } finally {
    agent.destroy();
  }
}

async function closed(server: http.Server): Promise<void> {
  const over = once(server, 'close');
  server.close();
  await over;
}

const onWindows = process.platform === 'win32';

const notOnWindows: Readonly<Record<string, string | false>> = {
  'a file descriptor': onWindows && 'a socket has no descriptor on Windows',
};

type Way = (door: Door) => Promise<unknown>;

const ways: Record<string, Way> = {
  'a socket of the file system': async (door) => {
    const socketPath = onWindows ? `\\\\.\\pipe\\${process.pid}-${door.name}` : path.join(folder({}), 'socket');
    const server = door.createServer({}, echo);
    server.listen(socketPath);
    await once(server, 'listening');
    assert.equal(server.address(), socketPath);
    const answers = await twice({ socketPath });
    await closed(server);
    return answers;
  },
  'the handle of another server': async (door) => {
    const listening = net.createServer();
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address() as net.AddressInfo;
    const server = door.createServer({}, echo);
    server.listen(listening);
    await once(server, 'listening');
    assert.equal((server.address() as net.AddressInfo).port, port);
    const answers = await twice({ host: '127.0.0.1', port });
    await closed(server);
    return answers;
  },
  'a file descriptor': async (door) => {
    const listening = net.createServer() as net.Server & { _handle?: { fd: number } };
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address() as net.AddressInfo;
    const child = start([door.name, 'fd'], [listening._handle!.fd, 'ipc']);
    await once(child, 'message');
    listening.close();
    return leaving(child, () => twice({ host: '127.0.0.1', port }));
  },
  'a socket that another process accepted': async (door) => {
    const child = start([door.name, 'sockets'], ['ipc']);
    await once(child, 'message');
    // Paused, so that the octets of the client stay in the kernel for the process that will serve it.
    const accepting = net.createServer({ pauseOnConnect: true }, (socket) => child.send('socket', socket));
    accepting.listen(0, '127.0.0.1');
    await once(accepting, 'listening');
    const { port } = accepting.address() as net.AddressInfo;
    return leaving(child, async () => {
      const answers = await twice({ host: '127.0.0.1', port });
      accepting.close();
      return answers;
    });
  },
};

function start(args: readonly string[], stdio: ('ipc' | number)[]): ChildProcess {
  return spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit', ...stdio] });
}

async function leaving<T>(child: ChildProcess, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } finally {
    const left = once(child, 'exit');
    child.kill();
    await left;
  }
}

for (const [name, way] of Object.entries(ways)) {
  test(`a server on ${name}`, { skip: notOnWindows[name] ?? false }, async () => {
    const [oracle, engine] = doors;
    const expected = await way(oracle);
    assert.match(JSON.stringify(expected), /200 keep-alive .*\/1.*200 keep-alive .*\/2/);
    assert.deepEqual(await way(engine), expected);
  });
}

interface Told {
  readonly single: readonly string[];
  readonly kept: readonly string[];
  readonly codes: readonly number[];
}

for (const door of doors) {
  for (const policy of ['rr', 'none']) {
    test(`a cluster answers and its workers leave, scheduling ${policy}, through ${door.name}`, async () => {
      const child = start([door.name, 'cluster', policy], []);
      const [told] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
      const { single, kept, codes } = JSON.parse(told) as Told;
      single.forEach((answer, i) => assert.match(answer, new RegExp(`^[12] POST /${i} body$`)));
      if (policy === 'rr') assert.equal(new Set(single.map((answer) => answer[0])).size, 2);
      kept.forEach((answer, i) => assert.equal(answer, `${kept[0][0]} POST /kept/${i} body`));
      assert.deepEqual(codes, [0, 0]);
    });
  }
}
