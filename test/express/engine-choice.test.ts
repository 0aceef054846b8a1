import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ours } from '../support/framework.js';

// NONSTOP_ENGINE decides over every server of the process: these tests are about the choice without it.
const chosen = process.env['NONSTOP_ENGINE'];
delete process.env['NONSTOP_ENGINE'];

const nodeListener = new http.Server().listeners('connection')[0];

/** Whether node's own HTTP serves the connections of a server. */
function isNodes(server: http.Server): boolean {
  return server.listeners('connection').includes(nodeListener);
}

async function get(server: http.Server): Promise<string> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  return answer.text();
}

function hello(): ReturnType<typeof ours> {
  const app = ours();
  app.get('/', (req, res) => void res.send(`${req.path} ${Object.getPrototypeOf(req) === app.request}`));
  return app;
}

/** Servers, and whether node still serves them before and after their first request. */
const cases: readonly {
  readonly name: string;
  readonly make: () => http.Server;
  readonly nodes: [boolean, boolean];
}[] = [
  { name: 'listen() takes its server over at once', make: () => hello().listen(0, '127.0.0.1'), nodes: [false, false] },
  {
    name: "the user's own server is taken over with its first request",
    make: () => http.createServer(hello()),
    nodes: [true, false],
  },
  {
    name: "the user's own server is taken over through a listener of his own too",
    make: () => {
      const app = hello();
      return http.createServer((req, res) => app(req, res));
    },
    nodes: [true, false],
  },
  {
    name: "app.set('engine', 'node') leaves the server of listen() to node",
    make: () => hello().set('engine', 'node').listen(0, '127.0.0.1'),
    nodes: [true, true],
  },
  {
    name: "app.set('engine', 'node') leaves the user's own server to node",
    make: () => http.createServer(hello().set('engine', 'node')),
    nodes: [true, true],
  },
  {
    name: 'a server with message classes of its own is left to node',
    make: () => http.createServer({ IncomingMessage: class extends http.IncomingMessage {} }, hello()),
    nodes: [true, true],
  },
];

for (const { name, make, nodes } of cases) {
  test(name, async () => {
    const server = make();
    assert.equal(isNodes(server), nodes[0]);
    assert.equal(await get(server), '/ true');
    assert.equal(isNodes(server), nodes[1]);
    assert.equal(await get(server), '/ true');
    server.closeAllConnections();
    server.close();
  });
}

test('NONSTOP_ENGINE=node leaves every server to node', async () => {
  process.env['NONSTOP_ENGINE'] = 'node';
  try {
    const server = hello().listen(0, '127.0.0.1');
    assert.equal(await get(server), '/ true');
    assert.ok(isNodes(server));
    server.close();
  } finally {
    if (chosen === undefined) delete process.env['NONSTOP_ENGINE'];
    else process.env['NONSTOP_ENGINE'] = chosen;
  }
});

test('a request that no server made is served', async () => {
  const req = Object.assign(new http.IncomingMessage(undefined as never), { url: '/', method: 'GET' });
  const res = new http.ServerResponse(req);
  hello()(req as never, res as never);
  assert.equal(res.statusCode, 200);
  assert.equal(res.getHeader('x-powered-by'), 'Express');
});
