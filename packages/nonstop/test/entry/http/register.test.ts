import assert = require('node:assert/strict');
import path = require('node:path');
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { certificate } from '../../support/certificate.js';
import { folder } from '../../support/folder.js';
import { asking, runProgram, type Program } from '../../support/run-program.js';
import { subject } from '../../support/subject.js';

const required = path.join(subject, 'http', 'register.js');
const imported = pathToFileURL(path.join(subject, 'http', 'register.mjs')).href;
const flags: readonly (readonly [flag: string, value: string])[] = [
  ['--require', required],
  ['--import', imported],
];

/** Programs that create servers in all ways, with the expected server and answer. */
const start = `${asking}
const http = require('node:http');
const { secure, engine } = JSON.parse(process.argv[1]);
const nonstop = require(engine);
const hello = (req, res) => res.end('hello');
const done = (value) => { console.log(JSON.stringify(value)); process.exit(); };
`;

const taken: Record<string, string> = {
  'http.createServer()': 'http.createServer(hello)',
  'new http.Server()': 'new http.Server(hello)',
  'http.Server() without new': 'http.Server(hello)',
  'a subclass': 'new (class Own extends http.Server {})(hello)',
  'a subclass by util.inherits': `(() => {
    function Own(listener) { http.Server.call(this, listener); }
    require('node:util').inherits(Own, http.Server);
    return new Own(hello);
  })()`,
  'https.createServer()': `require('node:https').createServer(secure, hello)`,
  'new https.Server()': `new (require('node:https').Server)(secure, hello)`,
  'a server of nonstop/http': 'nonstop.createServer(hello)',
  'a server whose request listener comes later': `http.createServer().on('request', hello)`,
};

const left: Record<string, readonly [make: string, reason: string]> = {
  'a class of requests of its own': [
    'http.createServer({ IncomingMessage: class extends http.IncomingMessage {} }, hello)',
    'message-classes',
  ],
  'a lenient parser': ['http.createServer({ insecureHTTPParser: true }, hello)', 'lenient-parser'],
  'another listener for connections': [
    `(() => {
      const server = http.createServer(hello);
      const [listener] = server.listeners('connection');
      server.removeAllListeners('connection');
      return server.on('connection', function (socket) { new http.Server(this.listeners('request')[0]).emit('connection', socket); });
    })()`,
    'listener-replaced',
  ],
};

/** Programs whose servers cannot be asked in the usual way. Each prints its result. */
const others: Record<string, readonly [program: string, expected: unknown]> = {
  'a server that is given its connections and listens nowhere': [
    `const inner = http.createServer(hello);
     const served = count(inner);
     const outer = net.createServer((socket) => inner.emit('connection', socket));
     ask(outer).then(({ body }) => done({ body, served, ...nonstop.explainAcceleration(inner) }));`,
    { body: 'hello', served: { engine: 1, node: 0 }, accelerated: true },
  ],
  "a program that calls node's listener itself": [
    `const server = http.createServer(hello);
     const served = count(server);
     const [listener] = server.listeners('connection');
     server.removeAllListeners('connection');
     server.on('connection', function (socket) { listener.call(this, socket); });
     ask(server).then(({ body }) => done({ body, served }));`,
    { body: 'hello', served: { engine: 0, node: 1 } },
  ],
  'an agent that has wrapped emit of http.Server.prototype before and after': [
    `const seen = [];
     const wrap = (name) => {
       const { emit } = http.Server.prototype;
       http.Server.prototype.emit = function (event, ...rest) {
         if (event === 'request') seen.push(name);
         return emit.call(this, event, ...rest);
       };
     };
     wrap('first');
     const server = http.createServer(hello);
     wrap('second');
     const served = count(server);
     ask(server).then(({ body }) => done({ body, served, seen }));`,
    { body: 'hello', served: { engine: 1, node: 0 }, seen: ['second', 'first'] },
  ],
  "an agent that replaces the emitter's on after the preload": [
    `const seen = [];
     const { EventEmitter } = require('node:events');
     const { on } = EventEmitter.prototype;
     EventEmitter.prototype.on = function (event, listener) {
       if (this instanceof http.Server) seen.push(event);
       return on.call(this, event, listener);
     };
     const server = http.createServer(hello);
     EventEmitter.prototype.on = on;
     const served = count(server);
     ask(server).then(({ body }) => done({ body, served, seen: seen.filter((event) => event !== 'listening') }));`,
    { body: 'hello', served: { engine: 1, node: 0 }, seen: ['request', 'connection'] },
  ],
  'plain net and tls servers': [
    `const server = net.createServer((socket) => socket.end('plain'));
     raw(server, '').then((body) => done({ body, listeners: server.listenerCount('connection'), ...nonstop.explainAcceleration(server) }));`,
    { body: 'plain', listeners: 1, accelerated: false, reason: 'not-a-server' },
  ],
  'HTTP/1.1 on a server of http2': [
    `const server = require('node:http2').createSecureServer({ ...secure, allowHTTP1: true }, hello);
     ask(server).then(({ body }) => done({ body, ...nonstop.explainAcceleration(server) }));`,
    { body: 'hello', accelerated: false, reason: 'not-a-server' },
  ],
  'a real Express, which changes the prototypes of messages': [
    `const app = require('express')();
     app.use(require('express').json());
     app.post('/', (req, res) => res.json([req.body, req.headers['content-type'], req.ip !== undefined]));
     const server = http.createServer(app);
     const served = count(server);
     const headers = { 'Content-Type': 'application/json' };
     (async () => {
       const first = await ask(server, { method: 'POST', headers }, '{"a":1}');
       const second = await ask(server);
       done({ first, status: second.status, served });
     })();`,
    { first: { status: 200, body: '[{"a":1},"application/json",true]' }, status: 404, served: { engine: 2, node: 0 } },
  ],
  'a server that leaves HTTP by upgrade': [
    `const server = http.createServer(hello);
     server.on('upgrade', (req, socket) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\n\\r\\n' + nonstop.isAccelerated(server)));
     raw(server, 'GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\n').then((text) => done(text.split('\\r\\n\\r\\n')[1]));`,
    'true',
  ],
  'a worker thread': [
    `const { Worker } = require('node:worker_threads');
     new Worker(process.argv[2], { argv: [process.argv[1]] }).on('message', done);`,
    { body: 'hello', served: { engine: 1, node: 0 } },
  ],
  'a child process that is forked': [
    `require('node:child_process').fork(process.argv[2], [process.argv[1]]).on('message', done);`,
    { body: 'hello', served: { engine: 1, node: 0 } },
  ],
  "the names of node's http": [
    `done([http.createServer.name, http.Server.name, Object.hasOwn(http.Server.prototype, 'emit'), http.createServer(hello).constructor === http.Server, http.Server.prototype.listen.name]);`,
    ['createServer', 'Server', false, true, 'listen'],
  ],
};

const apps: Record<string, readonly [setup: string, expected: unknown]> = {
  'an application of Nonstop has its own prototypes from the second request on': [
    `const app = framework();
     app.get('/', (req, res) => res.json([Object.getPrototypeOf(req) === app.request, req.socket.parser === undefined]));`,
    ['[true,true]', '[true,true]'],
  ],
  "the setting 'http engine' leaves the connections after the first to node": [
    `const app = framework().set('http engine', 'node');
     app.get('/', (req, res) => res.json([Object.getPrototypeOf(req) === app.request, req.socket.parser === undefined]));`,
    ['[true,true]', '[true,false]'],
  ],
};

describe('nonstop/http/register', () => {
  const child = folder({
    'child.cjs': `${start}
      const server = http.createServer(hello);
      const served = count(server);
      ask(server).then(({ body }) => {
        const { parentPort } = require('node:worker_threads');
        if (parentPort !== null) parentPort.postMessage({ body, served });
        else process.send({ body, served }, () => process.exit());
      });`.replace('process.argv[1]', 'process.argv[2]'),
  });

  async function outcome(text: string, rest: Partial<Program> = {}): Promise<unknown> {
    const args = [
      JSON.stringify({ secure: certificate(), engine: path.join(subject, 'http.js') }),
      path.join(child, 'child.cjs'),
    ];
    const { stdout, stderr } = await runProgram({ text: start + text, args, flags: ['--require', required], ...rest });
    if (rest.env?.['DEBUG'] === undefined) assert.equal(stderr, '');
    return JSON.parse(stdout);
  }

  const serve = (make: string): string => `
    const server = ${make};
    const served = count(server);
    ask(server).then(({ status, body }) => done({ status, body, served, ...nonstop.explainAcceleration(server) }));`;

  for (const flag of flags) {
    for (const [name, make] of Object.entries(taken)) {
      test(`${flag[0]}: ${name} is served by the engine`, async () => {
        const expected = { status: 200, body: 'hello', served: { engine: 1, node: 0 }, accelerated: true };
        assert.deepEqual(await outcome(serve(make), { flags: flag }), expected);
      });
    }
  }

  for (const [name, [make, reason]] of Object.entries(left)) {
    test(`a server with ${name} stays with node, with a reason`, async () => {
      const expected = { status: 200, body: 'hello', served: { engine: 0, node: 1 }, accelerated: false, reason };
      // In the third case the program creates another server for each connection; that one is served by the engine.
      const { served, ...found } = (await outcome(serve(make))) as { served: object; reason: string };
      assert.deepEqual({ ...found, served: reason === 'listener-replaced' ? expected.served : served }, expected);
    });
  }

  for (const [name, [program, expected]] of Object.entries(others)) {
    test(`${name}: the result is as expected`, async () => assert.deepEqual(await outcome(program), expected));
  }

  for (const [name, [setup, expected]] of Object.entries(apps)) {
    test(name, async () => {
      const text = `const framework = require(engine.replace(/http\\.js$/, 'index.js'));
        ${setup}
        const server = http.createServer(app);
        (async () => {
          const one = await ask(server);
          const two = await ask(server);
          done([one.body, two.body]);
        })();`;
      assert.deepEqual(await outcome(text), expected);
    });
  }

  test('servers that were created before are taken over when they listen', async () => {
    const text = `const server = http.createServer(hello); const served = count(server);
      require(${JSON.stringify(required)});
      ask(server).then(({ body }) => done({ body, served }));`;
    assert.deepEqual(await outcome(text, { flags: [] }), { body: 'hello', served: { engine: 1, node: 0 } });
  });

  test('it may be loaded twice', async () => {
    const expected = { status: 200, body: 'hello', served: { engine: 1, node: 0 }, accelerated: true };
    assert.deepEqual(await outcome(serve('http.createServer(hello)'), { flags: flags.flat() }), expected);
  });

  test('with NONSTOP_ENGINE=node every server stays with node', async () => {
    const expected = {
      status: 200,
      body: 'hello',
      served: { engine: 0, node: 1 },
      accelerated: false,
      reason: 'switched-off',
    };
    const env = { NONSTOP_ENGINE: 'node' };
    assert.deepEqual(await outcome(serve('http.createServer(hello)'), { env }), expected);
  });

  test('DEBUG=nonstop prints a line for each server', async () => {
    const text = `http.createServer(hello).listen(0, '127.0.0.1'); http.createServer({ insecureHTTPParser: true }).listen(0, '127.0.0.1', () => process.exit());`;
    const { stderr } = await runProgram({
      text: start + text,
      args: [JSON.stringify({ secure: {}, engine: path.join(subject, 'http.js') })],
      flags: ['--require', required],
      env: { DEBUG: 'nonstop', DEBUG_HIDE_DATE: '1' },
    });
    assert.deepEqual(stderr.trim().split('\n'), [
      'nonstop http.Server 1: taken over, the engine serves its connections',
      'nonstop http.Server 2: left to node, it has a lenient parser (insecureHTTPParser, httpValidation) (lenient-parser)',
    ]);
  });
});
