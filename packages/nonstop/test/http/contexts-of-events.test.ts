import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// What a connection tells its server besides requests is heard in the connection's async context too, as under node.

/** Sends what is not an ordinary request, each on its own connection; prints the stores in which the listeners run. */
const PROGRAM = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const how = process.argv[2];
  const store = new AsyncLocalStorage();
  const found = {};
  const note = (what) => (found[what] = String(store.getStore()));
  // Long enough that a busy machine is not late with the other requests.
  const deadlines = { connectionsCheckingInterval: 20, headersTimeout: 1000, requestTimeout: 1000 };
  const server = http.createServer(deadlines, (req, res) => {
    if (req.url === '/idle') return res.end();
    if (req.url !== '/throw') return;
    store.run('thrown', () => {
      process.nextTick(() => { throw new Error('in a tick'); });
      res.end('answer');
    });
  });
  const take = (what) => (req, socket) => { note(what); socket.end('taken'); };
  server.on('upgrade', take('upgrade')).on('connect', take('connect'));
  server.on('checkExpectation', (req, res) => { note('checkExpectation'); res.end(); });
  server.on('clientError', (error, socket) => { note(error.code); socket.destroy(); });
  process.on('uncaughtException', () => {});
  let connections = 0;
  if (how === 'connection') server.prependListener('connection', () => store.enterWith('connection ' + ++connections));
  const listen = () => server.listen(0, '127.0.0.1');
  if (how === 'listen') store.run('listen', listen);
  else listen();
  const visit = (lines, rest = '') => new Promise((done) => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', () => client.destroy()).on('error', () => {}).on('close', done);
    client.write([...lines, 'Host: a', '', rest].join('\\r\\n'));
  });
  server.once('listening', async () => {
    if (how === 'throw') await visit(['GET /throw HTTP/1.1']);
    // Stays open: its store must not be found where others are late.
    await new Promise((done) => {
      const client = net.connect(server.address().port, '127.0.0.1');
      client.once('data', done).once('close', done).write('GET /idle HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    });
    await visit(['GET / HTTP/1.1', 'Upgrade: x', 'Connection: upgrade'], 'octets behind it');
    await visit(['CONNECT a:1 HTTP/1.1']);
    await visit(['GET / HTTP/1.1', 'Expect: x']);
    await visit(['not HTTP']);
    await visit(['POST / HTTP/1.1', 'Transfer-Encoding: chunked'], 'zz\\r\\n');
    await visit(['POST / HTTP/1.1', 'Content-Length: 5'], 'some');
    console.log(JSON.stringify({ found, engine: http.isAccelerated?.(server) ?? false }));
    process.exit();
  });
`;

const EVENTS = ['upgrade', 'connect', 'checkExpectation', 'HPE_INVALID_METHOD', 'HPE_INVALID_CHUNK_SIZE'];
const DEADLINE = 'ERR_HTTP_REQUEST_TIMEOUT';

interface Printed {
  readonly found: Readonly<Record<string, string>>;
  readonly engine: boolean;
}

async function play(module: string, how: string): Promise<Printed> {
  const { stdout } = await runProgram({ text: PROGRAM, args: [module, how] });
  return JSON.parse(stdout) as Printed;
}

for (const [where, how] of [
  ['listen() was called in a store', 'listen'],
  ["a listener for 'connection' entered a store", 'connection'],
  ['a tick of another request has thrown in its store', 'throw'],
]) {
  test(`upgrades, refusals and deadlines are heard in the stores of node:http if ${where}`, async () => {
    const [node, engine] = await Promise.all([play('node:http', how), play(`${subject}/http.js`, how)]);
    assert.deepEqual(Object.keys(node.found), [...EVENTS, DEADLINE]);
    assert.equal(engine.engine, true);
    // A deadline is heard in the connection's store, under node in that of listen() (docs/compat).
    const deadline = how === 'connection' ? { [DEADLINE]: 'connection 7' } : {};
    assert.deepEqual(engine.found, { ...node.found, ...deadline });
  });
}

/** Listeners are added to answers that have ended, with the response's method or past it; prints the stores in which they run. */
const LATE = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const { EventEmitter } = require('node:events');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const how = process.argv[2];
  const store = new AsyncLocalStorage();
  const found = {};
  const server = http.createServer((req, res) => {
    const answer = () => {
      res.end(req.url === '/large' ? 'x'.repeat(20000) : 'answer');
      const note = () => (found[req.url] = String(store.getStore()));
      if (how === 'throw') EventEmitter.prototype.on.call(res, 'close', note);
      else res.once('close', note);
    };
    if (req.url === '/throw') {
      return store.run('thrown', () => {
        process.nextTick(() => { throw new Error('in a tick'); });
        res.end('answer');
      });
    }
    if (how === 'own') store.run('own', answer);
    else answer();
  });
  process.on('uncaughtException', () => {});
  const visit = (text) => new Promise((done) => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', () => setTimeout(() => client.destroy(), 20)).on('close', done);
    client.write(text);
  });
  const get = (path) => 'GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n';
  server.listen(0, '127.0.0.1', async () => {
    if (how === 'throw') await visit(get('/throw'));
    await visit(get('/small'));
    await visit(get('/large'));
    await visit(get('/first') + get('/second'));
    await visit('POST /body HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 4\\r\\n\\r\\nbody');
    console.log(JSON.stringify({ found, engine: http.isAccelerated?.(server) ?? false }));
    process.exit();
  });
`;

for (const [store, how] of [
  ['the store of its handler', 'own'],
  ['no store, after a tick of another request has thrown in its store', 'throw'],
] as const) {
  for (const [door, module] of [
    ['node:http', 'node:http'],
    ['the engine', `${subject}/http.js`],
  ]) {
    test(`a listener that is added behind res.end() is called in ${store} (${door})`, async () => {
      const { stdout } = await runProgram({ text: LATE, args: [module, how] });
      const expected = how === 'own' ? 'own' : 'undefined';
      const { found, engine } = JSON.parse(stdout) as Printed;
      assert.deepEqual(
        found,
        Object.fromEntries(['small', 'large', 'first', 'second', 'body'].map((each) => [`/${each}`, expected])),
      );
      assert.equal(engine, module !== 'node:http');
    });
  }
}

/** Two connections in a store each. The first waits for its answer when the second has been idle for too long; prints the store in which the server hears of that. */
const IDLE = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const store = new AsyncLocalStorage();
  const server = http.createServer((req, res) => {
    if (req.url === '/idle') res.end();
    else connect('/idle');
  });
  server.keepAliveTimeout = 20;
  let connections = 0;
  server.prependListener('connection', () => store.enterWith('connection ' + ++connections));
  server.on('timeout', () => {
    console.log(JSON.stringify({ found: store.getStore(), engine: http.isAccelerated?.(server) ?? false }));
    process.exit();
  });
  const connect = (path) => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.resume().write('GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
  };
  server.listen(0, '127.0.0.1', () => connect('/held'));
`;

test('that a connection was idle for too long is heard in its store, not in that of an older connection', async () => {
  const [node, engine] = await Promise.all(
    ['node:http', `${subject}/http.js`].map(
      async (module) => JSON.parse((await runProgram({ text: IDLE, args: [module] })).stdout) as unknown,
    ),
  );
  assert.deepEqual(
    [node, engine],
    [
      { found: 'connection 2', engine: false },
      { found: 'connection 2', engine: true },
    ],
  );
});
