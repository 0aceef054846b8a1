import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ours } from '../support/framework.js';
import { runProgram } from '../support/run-program.js';
import { nonstopHttp, subject } from '../support/subject.js';

// NONSTOP_ENGINE applies to all servers of the process: these tests need it unset.
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
    name: "the user's own server is taken over at its first request",
    make: () => http.createServer(hello()),
    nodes: [true, false],
  },
  {
    name: "the user's own server with the user's own listener is taken over too",
    make: () => {
      const app = hello();
      return http.createServer((req, res) => app(req, res));
    },
    nodes: [true, false],
  },
  {
    name: "with app.set('http engine', 'node') the server of listen() stays with node",
    make: () => hello().set('http engine', 'node').listen(0, '127.0.0.1'),
    nodes: [true, true],
  },
  {
    name: "app.set('http engine', 'nonstop') is the same as the default",
    make: () => hello().set('http engine', 'nonstop').listen(0, '127.0.0.1'),
    nodes: [false, false],
  },
  {
    name: "with app.set('engine', 'node') the server of listen() stays with node",
    make: () => hello().set('engine', 'node').listen(0, '127.0.0.1'),
    nodes: [true, true],
  },
  {
    name: "app.set('http engine', 'node') gives a server of the engine's back to node",
    make: () => nonstopHttp.createServer(hello().set('http engine', 'node')),
    nodes: [false, true],
  },
  {
    name: "a server of nonstop/http keeps the engine, whose messages become the application's",
    make: () => nonstopHttp.createServer(hello()),
    nodes: [false, false],
  },
  {
    name: "with app.set('engine', 'node') the user's own server stays with node",
    make: () => http.createServer(hello().set('engine', 'node')),
    nodes: [true, true],
  },
  {
    name: 'a server with its own message classes stays with node',
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

test('with NONSTOP_ENGINE=node every server stays with node', async () => {
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

test('a listener in front of the application gets messages with the prototypes of nonstop/http', async () => {
  const app = ours();
  const prototypes: unknown[] = [];
  const server = nonstopHttp.createServer((req, res) => {
    prototypes.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
    app(req, res);
  });
  await get(server);
  await get(server);
  assert.deepEqual(prototypes, [false, false, false, false]);
  server.close();
});

const expectedNames = "must be 'node' or 'nonstop'";

for (const [setting, other] of [
  ['http engine', 'engine'],
  ['engine', 'http engine'],
]) {
  test(`the setting '${setting}' writes and reads what '${other}' does`, () => {
    const app = ours();
    assert.equal(app.get(setting), undefined);
    app.set(setting, 'node');
    assert.deepEqual([app.get(setting), app.get(other)], ['node', 'node']);
    app.set(other, 'nonstop');
    assert.deepEqual([app.get(setting), app.get(other)], ['nonstop', 'nonstop']);
    app.set(setting, undefined);
    assert.deepEqual([app.get(setting), app.get(other)], [undefined, undefined]);
  });

  test(`the setting '${setting}' refuses a value that is not an engine, and keeps its old value`, () => {
    const app = ours().set(setting, 'node');
    for (const value of ['nodee', 'NODE', '', null, true, 1]) {
      assert.throws(
        () => app.set(setting, value),
        ({ name, code, message }: NodeJS.ErrnoException) =>
          name === 'TypeError' &&
          code === 'ERR_NONSTOP_ENGINE' &&
          message.startsWith(`The setting '${setting}' is `) &&
          message.endsWith(expectedNames),
      );
    }
    assert.equal(app.get(other), 'node');
  });
}

test('a mounted application inherits the choice', () => {
  const parent = ours().set('http engine', 'node');
  const child = ours();
  parent.use(child);
  assert.equal(child.get('http engine'), 'node');
});

for (const [name, entry] of [
  ['nonstop', 'index.js'],
  ['nonstop/http', 'http.js'],
  ['nonstop/http/register', 'http/register.js'],
]) {
  test(`NONSTOP_ENGINE with a value that is not an engine makes require('${name}') throw`, async () => {
    const text = `
      try { require(process.argv[1]); console.log('loaded'); }
      catch ({ name, code, message }) { console.log(name, code, message); }`;
    const args = [`${subject}/${entry}`];
    const told = await runProgram({ text, args, env: { NONSTOP_ENGINE: 'nodee' } });
    assert.equal(told.stdout.trim(), `TypeError ERR_NONSTOP_ENGINE NONSTOP_ENGINE is 'nodee', and ${expectedNames}`);
    for (const NONSTOP_ENGINE of ['', 'node', 'nonstop'])
      assert.equal((await runProgram({ text, args, env: { NONSTOP_ENGINE } })).stdout.trim(), 'loaded');
  });
}

test('a request that was not created by a server is served', async () => {
  const req = Object.assign(new http.IncomingMessage(undefined as never), { url: '/', method: 'GET' });
  const res = new http.ServerResponse(req);
  hello()(req as never, res as never);
  assert.equal(res.statusCode, 200);
  assert.equal(res.getHeader('x-powered-by'), 'Express');
});
