import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// Handlers start in the async context in which the connection came to the server, on node:http and on the engine: not in that of the socket's
// handle, which is made before any JavaScript runs, and not in one that another request has left behind.

/** Two connections, each with one request alone and three in one piece; prints the stores that handlers find. */
const PROGRAM = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const store = new AsyncLocalStorage();
  const found = [];
  let count = 0;
  const isTakenOverLater = process.argv[2] === 'in front';
  const server = (isTakenOverLater ? require('node:http') : http).createServer((req, res) => {
    found.push(String(store.getStore()));
    const own = 'request ' + count++;
    if (process.argv[2] === 'enter') store.enterWith(own);
    store.run(own, () => {
      if (process.argv[2] === 'throw') process.nextTick(() => { throw new Error('in a tick'); });
      res.end('answer');
    });
  });
  if (process.argv[2] === 'throw') process.on('uncaughtException', () => {});
  if (process.argv[2] === 'connection' || isTakenOverLater) server.prependListener('connection', () => store.enterWith('connection'));
  if (isTakenOverLater) http.accelerate?.(server);
  const listen = () => server.listen(0, '127.0.0.1');
  if (process.argv[2] === 'listen') store.run('listen', listen);
  else listen();
  const get = 'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n';
  const visit = () => new Promise((done) => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write(get));
    let received = '';
    client.on('data', (data) => {
      if (received === '') client.write(get + get + get);
      received += data;
      if (received.split('answer').length === 5) client.destroy();
    });
    client.on('close', done);
  });
  server.once('listening', () => void visit().then(visit).then(() => {
    console.log(JSON.stringify({ found, engine: http.isAccelerated?.(server) ?? false }));
    process.exit();
  }));
`;

const major = Number.parseInt(process.versions.node, 10);
const all = (store: string): string[] => Array<string>(8).fill(store);
// Before Node 24 a context belongs to the connection, so that what a handler enters is kept for the next one.
const ENTERED = [0, 4].flatMap((n) => ['undefined', `request ${n}`, `request ${n + 1}`, `request ${n + 2}`]);

const CASES: readonly (readonly [name: string, how: string, found: string[]])[] = [
  ['none, without a store', 'nothing', all('undefined')],
  ['the store in which listen() was called', 'listen', all('listen')],
  ["the store that a listener for 'connection' entered", 'connection', all('connection')],
  [
    "the store that a listener entered that was in front of node's when the server was taken over",
    'in front',
    all('connection'),
  ],
  ['none, after a tick of another request has thrown in its store', 'throw', all('undefined')],
  ['what a handler entered, where node has it', 'enter', major >= 24 ? all('undefined') : ENTERED],
];

for (const [name, how, found] of CASES) {
  for (const [door, module] of [
    ['node:http', 'node:http'],
    ['the engine', `${subject}/http.js`],
  ]) {
    test(`handlers find ${name} (${door})`, async () => {
      const { stdout } = await runProgram({ text: PROGRAM, args: [module, how] });
      assert.deepEqual(JSON.parse(stdout), { found, engine: module !== 'node:http' });
    });
  }
}

const PUSHED = `
  const http = require(process.argv[1]);
  const { AsyncLocalStorage } = require('node:async_hooks');
  const { duplexPair } = require('node:stream');
  const store = new AsyncLocalStorage();
  const server = http.createServer((req, res) => {
    console.log(String(store.getStore()));
    res.end();
  });
  // Takes the server over, where that happens at its start.
  server.listen(0, '127.0.0.1', () => {
    const [mine, its] = duplexPair();
    store.run('emit', () => server.emit('connection', its));
    let answers = 0;
    const end = () => {
      console.log(http.isAccelerated?.(server) ?? false);
      process.exit();
    };
    const get = () => store.run('write', () => mine.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'));
    mine.on('data', () => (++answers === 2 ? end() : get()));
    get();
  });
`;

for (const [door, module] of [
  ['node:http', 'node:http'],
  ['the engine', `${subject}/http.js`],
]) {
  test(`handlers find the store in which a stream was given to the server, not that of who writes to it (${door})`, async () => {
    const { stdout } = await runProgram({ text: PUSHED, args: [module] });
    assert.equal(stdout, `emit\nemit\n${module !== 'node:http'}\n`);
  });
}

/** Prints the stores in which the body of a request is heard: sent with the head, and in three pieces. */
const BODIES = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const store = new AsyncLocalStorage();
  const found = {};
  const server = http.createServer((req, res) => {
    const note = (what) => (found[req.url + ' ' + what] = String(store.getStore()));
    if (req.url === '/throw') {
      return store.run('thrown', () => {
        process.nextTick(() => { throw new Error('in a tick'); });
        res.end('answer');
      });
    }
    req.on('data', () => note('data')).on('end', () => { note('end'); res.end('answer'); });
  });
  process.on('uncaughtException', () => {});
  if (process.argv[2] === 'connection') server.prependListener('connection', () => store.enterWith('connection'));
  const listen = () => server.listen(0, '127.0.0.1');
  if (process.argv[2] === 'listen') store.run('listen', listen);
  else listen();
  const post = (path) => 'POST ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 9\\r\\n\\r\\n';
  const visit = (...pieces) => new Promise((done) => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', () => client.destroy()).on('close', done);
    const send = () => {
      if (client.destroyed || pieces.length === 0) return;
      client.write(pieces.shift());
      setTimeout(send, 20);
    };
    send();
  });
  server.once('listening', async () => {
    if (process.argv[2] === 'throw') await visit('GET /throw HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    await visit(post('/whole') + 'some body');
    await visit(post('/pieces'), 'some', ' body');
    console.log(JSON.stringify({ found, engine: http.isAccelerated?.(server) ?? false }));
    process.exit();
  });
`;

for (const [name, how, inStore] of [
  ['the store in which listen() was called', 'listen', 'listen'],
  ["the store that a listener for 'connection' entered", 'connection', 'connection'],
  ['no store, after a tick of another request has thrown in its store', 'throw', 'undefined'],
] as const) {
  for (const [door, module] of [
    ['node:http', 'node:http'],
    ['the engine', `${subject}/http.js`],
  ]) {
    test(`a body is heard in ${name} (${door})`, async () => {
      const { stdout } = await runProgram({ text: BODIES, args: [module, how] });
      const heard = ['/whole data', '/whole end', '/pieces data', '/pieces end'];
      const found = Object.fromEntries(heard.map((each) => [each, inStore]));
      assert.deepEqual(JSON.parse(stdout), { found, engine: module !== 'node:http' });
    });
  }
}

/** Two requests in one piece, with bodies in three chunks. A listener for 'data' enters a store; prints what is found in the second request. */
const PIPELINED = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const store = new AsyncLocalStorage();
  const found = [];
  const server = http.createServer((req, res) => {
    const note = (what) => req.url === '/2' && found.push(what + ' ' + store.getStore());
    note('handler');
    req.on('data', (part) => {
      note(part);
      store.enterWith(req.url);
    });
    req.on('end', () => { note('end'); res.end('answer'); });
  });
  const post = (path) => 'POST ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n' +
    '1\\r\\na\\r\\n1\\r\\nb\\r\\n1\\r\\nc\\r\\n0\\r\\n\\r\\n';
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write(post('/1') + post('/2')));
    let received = '';
    client.on('data', (data) => {
      received += data;
      if (received.split('answer').length < 3) return;
      console.log(JSON.stringify({ found, engine: http.isAccelerated?.(server) ?? false }));
      process.exit();
    });
  });
`;

for (const [door, module] of [
  ['node:http', 'node:http'],
  ['the engine', `${subject}/http.js`],
]) {
  test(`no store that a listener of another request in the same piece has entered is found (${door})`, async () => {
    const { stdout } = await runProgram({ text: PIPELINED, args: [module] });
    const { found, engine } = JSON.parse(stdout) as { found: string[]; engine: boolean };
    assert.deepEqual(
      found.map((each) => each.split(' ')[0]),
      ['handler', 'a', 'b', 'c', 'end'],
    );
    // Before AsyncContextFrame a context belongs to the connection, so that what a listener enters is kept.
    const stays = major < 24;
    assert.deepEqual(stays ? [] : found.filter((each) => each.endsWith('/1')), []);
    assert.equal(engine, module !== 'node:http');
  });
}

/** A handler enters a store; what follows on its connection is of no request. Prints the stores that its events have. */
const AFTER = `
  const http = require(process.argv[1]);
  const net = require('node:net');
  const { once } = require('node:events');
  const { AsyncLocalStorage } = require('node:async_hooks');
  const store = new AsyncLocalStorage();
  const found = {};
  let name;
  const note = (what) => { found[name + ', ' + what] = String(store.getStore()); };
  const server = http.createServer((req, res) => {
    store.enterWith('user A');
    if (req.url !== '/waits') return res.end('answer');
    for (const event of ['aborted', 'error', 'close']) req.on(event, () => note('request ' + event));
    res.on('close', () => note('response close'));
  });
  server.on('upgrade', (req, socket) => {
    note('upgrade');
    for (const event of ['data', 'end', 'close']) socket.on(event, () => note('socket ' + event));
    socket.on('end', () => socket.end());
    socket.write('taken');
  });
  server.on('connect', (req, socket) => { note('connect'); socket.end('taken'); });
  server.on('clientError', (error, socket) => { note('clientError'); socket.destroy(); });
  server.on('connection', (socket) => socket.on('close', () => note('end of the connection')));
  const get = (path, fields = '') => 'GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n' + fields + '\\r\\n';
  const ends = {
    'an upgrade': async (client) => {
      client.write(get('/', 'Connection: upgrade\\r\\nUpgrade: websocket\\r\\n'));
      await once(client, 'data');
      client.end('message');
    },
    'CONNECT': async (client) => client.write('CONNECT a:1 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'),
    'no HTTP': async (client) => client.write('no HTTP\\r\\n\\r\\n'),
    'a client that leaves': async (client) => {
      client.write(get('/waits') + get('/waits'));
      await once(server, 'request');
      client.destroy();
    },
    'a client that ends in a head': async (client) => client.end('GET /'),
  };
  const play = async () => {
    for (name of Object.keys(ends)) {
      const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
      const client = net.connect(server.address().port, '127.0.0.1');
      client.on('error', () => {}).write(get('/'));
      await once(client, 'data');
      client.on('data', () => {});
      await ends[name](client);
      await closed;
      await new Promise((resolve) => setImmediate(resolve));
    }
    console.log(JSON.stringify({ found, engine: http.isAccelerated?.(server) ?? false }));
    process.exit();
  };
  const listen = () => server.listen(0, '127.0.0.1');
  if (process.argv[2] === 'run') store.run('start', listen);
  else listen();
  server.once('listening', () => store.exit(play));
`;

for (const how of ['', 'run']) {
  test(`what follows the last request of a connection has the stores that it has under node ${how}`, async () => {
    const run = async (module: string): Promise<{ found: Record<string, string>; engine: boolean }> =>
      JSON.parse((await runProgram({ text: AFTER, args: [module, how] })).stdout) as never;
    const [theirs, ours] = await Promise.all([run('node:http'), run(`${subject}/http.js`)]);
    assert.deepEqual([theirs.engine, ours.engine], [false, true]);
    assert.deepEqual(ours.found, theirs.found);
    assert.ok(Object.keys(ours.found).length > 15, JSON.stringify(ours.found));
  });
}
