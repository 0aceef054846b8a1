import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import type { AddressInfo } from 'node:net';
import path = require('node:path');
import { test } from 'node:test';
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';
import { bounded } from '../support/bounded.js';
import { doors } from '../support/doors.js';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const ANOTHER = 'GET /another HTTP/1.1\r\nHost: a\r\n\r\n';

for (const door of doors) {
  for (const late of [false, true]) {
    // Closing a socket that has unread octets resets the connection: the peer may lose an answer that it has not read.
    test(`${door.name}: input that arrives with a closing answer${late ? ', late,' : ''} does not reset the connection`, async () => {
      let client: net.Socket | undefined;
      const server = door.createServer({}, (_req, res) => {
        const answer = (): void => {
          // Sent between the read and the answer: these octets are unread when the connection is closed.
          client?.write(ANOTHER);
          res.end('answer');
        };
        if (late) setImmediate(answer);
        else answer();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        for (let round = 0; round < 20; round++) {
          const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
          client = socket;
          const seen: string[] = [];
          socket.on('end', () => seen.push('end'));
          socket.on('error', (error: NodeJS.ErrnoException) => seen.push(String(error.code)));
          let answer = '';
          socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
          socket.write(REQUEST);
          await new Promise((resolve) => socket.once('close', resolve));
          assert.deepEqual(seen, ['end']);
          assert.ok(answer.endsWith('\r\n\r\nanswer'), answer);
        }
      } finally {
        server.close();
      }
    });
  }
}

const serverOf = ({ socket }: http.IncomingMessage): http.Server =>
  (socket as net.Socket & { server: http.Server }).server;

const closesItself: Scenario[] = (['closeIdleConnections', 'close'] as const).flatMap((method) => [
  ...[false, true].map((late): Scenario => ({
    name: `server.${method}() behind res.end() in ${late ? 'a timer of ' : ''}the handler`,
    handler: (req, res, log) => {
      res.on('finish', () => log('response', 'finish'));
      res.on('close', () => log('response', 'close'));
      req.socket.on('close', () => log('socket', 'close'));
      const answer = (): void => {
        res.end('whole');
        serverOf(req)[method]();
        log('handler', 'destroyed', req.socket.destroyed);
      };
      if (late) setImmediate(answer);
      else answer();
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    // The message is not complete before its handler returns.
    then: late ? 'wait' : 'probe',
  })),
  {
    name: `server.${method}() behind res.end() in the handler of the second request of a connection`,
    handler: (req, res, log) => {
      res.end(req.url);
      if (req.url !== '/1') return;
      serverOf(req)[method]();
      log('handler', 'destroyed', req.socket.destroyed);
    },
    send: ['GET /0 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    answers: 2,
  },
  {
    name: `server.${method}() behind the answer of a POST, whose body came in one read with its head`,
    handler: (req, res, log) => {
      req.resume().on('end', () => {
        res.end('whole');
        serverOf(req)[method]();
        log('handler', 'destroyed', req.socket.destroyed);
      });
    },
    send: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody',
    then: 'wait',
  },
  ...['', '4\r\nbody\r\n'].map((body): Scenario => ({
    name: `server.${method}() while an answered POST with trailers and ${body === '' ? 'no' : 'a'} body is read to its end`,
    handler: (req, res, log) => {
      log('handler', 'url', req.url);
      req.on('resume', () => {
        serverOf(req)[method]();
        log('handler', 'destroyed', req.socket.destroyed);
      });
      res.end('whole');
    },
    send: `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\nX-Sum: 5\r\n\r\n`,
    then: body === '' ? 'wait' : 'probe',
  })),
  {
    name: `server.${method}() in a tick behind the answer of a POST, which runs between the body and the end of its message`,
    handler: (req, res, log) => {
      res.end('whole');
      process.nextTick(() => {
        serverOf(req)[method]();
        log('handler', 'destroyed', [req.socket.destroyed, req.complete]);
      });
    },
    send: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody',
  },
  {
    name: `server.${method}() in a listener for 'finish' of the first of two answers that are both given`,
    handler: (req, res, log) => {
      if (req.url === '/0')
        res.on('finish', () => {
          serverOf(req)[method]();
          log('finish', 'destroyed', req.socket.destroyed);
        });
      res.end(req.url);
    },
    send: 'GET /0 HTTP/1.1\r\nHost: a\r\n\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n',
    answers: 2,
    then: 'wait',
  },
  {
    name: `server.${method}() does not close the connection of a request that is not answered yet`,
    handler: (req, res, log) => {
      serverOf(req)[method]();
      log('handler', 'destroyed', req.socket.destroyed);
      res.end('whole');
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  },
]);

const written: Scenario[] = [
  {
    name: 'closeIdleConnections() while octets that the program has written to the idle connection wait',
    ignoreWire: true,
    handler: (req, res, log) => {
      res.end();
      setImmediate(() => {
        while (req.socket.write('x'.repeat(100_000)));
        serverOf(req).closeIdleConnections();
        log('socket', 'destroyed', req.socket.destroyed);
      });
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    answers: 0,
    then: 'wait',
  },
];

const lastWords: Scenario[] = ['HTTP/1.0', 'HTTP/1.1'].map((version) => ({
  name: `${version}: a write to the socket in a listener for the end of a request whose answer closes the connection`,
  handler: (req, res, log) => {
    req.on('end', () => {
      log('socket', 'writable', [req.socket.writable, req.socket.writableEnded]);
      req.socket.write('past HTTP', (error) => log('socket', 'written', (error as NodeJS.ErrnoException | null)?.code));
    });
    res.end('last');
  },
  send: `GET / ${version}\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  then: 'wait',
}));

eachSameThroughBothDoors([...closesItself, ...written, ...lastWords]);

/** @returns whether an idle connection of `server` is open after `act` */
async function staysOpen(server: http.Server, act: () => unknown): Promise<boolean> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(client, 'data');
  act();
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  const open = await new Promise((resolve) => server.getConnections((_, count) => resolve(count === 1)));
  client.destroy();
  server.close();
  return open as boolean;
}

for (const { name, createServer } of doors) {
  for (const method of ['closeAllConnections', 'closeIdleConnections'] as const) {
    test(`${name}: ${method}() closes each connection, after others were closed in any order`, async () => {
      for (const gone of [[0], [1], [3], [0, 1], [0, 3], [2, 0, 3]]) {
        const server = createServer({}, (_req, res) => res.end('x'));
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const clients: net.Socket[] = [];
        for (let i = 0; i < 4; i++) {
          const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
          clients.push(client);
          client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
          await once(client, 'data');
        }
        for (const i of gone) {
          const closed = once(clients[i], 'close');
          clients[i].end();
          await closed;
        }
        const open = clients.filter(({ closed }) => !closed);
        const all = Promise.all(open.map((client) => once(client, 'close')));
        server[method]();
        await bounded(all, () => `the end of all connections but ${gone.join(' and ')}`);
        server.close();
      }
    });
  }
}

/** Of four connections one stays open. The others close in the middle of the engine's list, at its end and at its start. */
const CLOSING = `
  const net = require('node:net');
  const http = require(process.argv[1]);
  const server = http.createServer((req, res) => res.end('x'));
  const sockets = [];
  server.on('connection', (socket) => sockets.push(new WeakRef(socket)));
  server.listen(0, '127.0.0.1', async () => {
    const clients = [];
    for (let i = 0; i < 4; i++) {
      clients.push(net.connect(server.address().port, '127.0.0.1'));
      clients[i].write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
      await new Promise((done) => clients[i].once('data', done));
    }
    for (const i of [1, 2, 0]) await new Promise((done) => clients[i].on('close', done).end());
    const late = Date.now() + 5000;
    const kept = () => (gc(), sockets.filter((each) => each.deref() !== undefined).length);
    while (kept() > 1 && Date.now() < late) await new Promise(setImmediate);
    console.log(JSON.stringify([kept(), http.isAccelerated?.(server) ?? false]));
    process.exit();
  });
`;

for (const door of doors) {
  test(`${door.name}: closeIdleConnections() closes a connection that socket.end() has half-closed, while the answer of a second request waits`, async () => {
    let client: net.Socket | undefined;
    const server = door.createServer({}, (req, res) => {
      if (req.url === '/0') {
        // More than the kernel takes: it is still being sent when the second request comes.
        res.end('x'.repeat(8_000_000));
        req.socket.end();
      } else
        setImmediate(() => {
          serverOf(req).closeIdleConnections();
          client?.resume();
        });
    });
    server.listen(0, '127.0.0.1');
    const closed = once(server, 'connection').then(([socket]: net.Socket[]) => once(socket, 'close'));
    await once(server, 'listening');
    try {
      // It does not end, so that only the server can.
      client = net.connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
      client.pause().on('error', () => undefined);
      client.write('GET /0 HTTP/1.1\r\nHost: a\r\n\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n');
      await bounded(closed, () => 'the end of the connection');
    } finally {
      client?.destroy();
      server.close();
    }
  });
}

test('a closed connection is not kept', async () => {
  for (const [module, engine] of [
    ['node:http', false],
    [path.join(subject, 'http.js'), true],
  ] as const) {
    const { stdout } = await runProgram({ text: CLOSING, flags: ['--expose-gc'], args: [module] });
    assert.deepEqual(JSON.parse(stdout), [1, engine], module);
  }
});

for (const { name, createServer, createSecureServer } of doors) {
  const make = (): http.Server => createServer({}, (_req, res) => res.end('x'));
  test(`${name}: the methods that close connections are on the server's prototype`, async () => {
    for (const method of ['closeAllConnections', 'closeIdleConnections'] as const) {
      const server = make();
      assert.equal(Object.hasOwn(server, method), false);
      assert.equal(await staysOpen(server, () => http.Server.prototype[method].call(server)), false);
    }
  });

  test(`${name}: an idle connection stays open if no method is called`, async () => {
    assert.equal(await staysOpen(make(), () => {}), true);
  });

  test(`${name}: a server whose own method closes nothing keeps its idle connections`, async () => {
    const server = make();
    server.closeIdleConnections = () => {};
    assert.equal(await staysOpen(server, () => server.closeIdleConnections()), true);
  });

  test(`${name}: a second server of TLS leaves the methods on the prototype as the first one did`, () => {
    const { prototype } = https.Server;
    createSecureServer({});
    const { closeAllConnections, closeIdleConnections } = prototype;
    createSecureServer({});
    assert.equal(prototype.closeAllConnections, closeAllConnections);
    assert.equal(prototype.closeIdleConnections, closeIdleConnections);
  });

  test(`${name}: a method that a program replaces on the prototype later is called`, async (t) => {
    const server = make();
    const replaced = t.mock.method(http.Server.prototype, 'closeIdleConnections');
    assert.equal(await staysOpen(server, () => server.closeIdleConnections()), false);
    assert.ok(replaced.mock.callCount() > 0);
  });
}

for (const method of ['closeIdleConnections', 'close'] as const) {
  // node destroys the socket, and the client gets what the kernel has taken: 4 of 30 MB.
  test(`server.${method}() behind res.end() of a large answer closes the connection when all of it is sent`, async () => {
    const SIZE = 30_000_000;
    const engine = doors.find(({ name }) => name === 'engine')!;
    const server = engine.createServer({}, (_req, res) => {
      setImmediate(() => {
        res.end(Buffer.alloc(SIZE));
        server[method]();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let octets = 0;
    client.on('data', (data: Buffer) => (octets += data.length));
    await once(client, 'close');
    server.close();
    assert.ok(octets > SIZE, String(octets));
  });

  // node destroys the socket as soon as the first is answered.
  for (const early of [false, true]) {
    const when = early ? 'was given before it' : 'is given later';
    test(`server.${method}() behind the answer of a request does not lose the answer of the next one, which ${when}`, async () => {
      const engine = doors.find(({ name }) => name === 'engine')!;
      const server = engine.createServer({}, (req, res) => {
        const answer = (): unknown => res.end(req.url);
        if (req.url !== '/0') {
          if (early) answer();
          else setImmediate(answer);
          return;
        }
        setImmediate(() => {
          answer();
          server[method]();
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
      let wire = '';
      const heard = new Promise<void>((resolve) =>
        client.on('data', (data: Buffer) => {
          wire += data.toString('latin1');
          if (wire.endsWith('/1')) resolve();
        }),
      );
      client.write('GET /0 HTTP/1.1\r\nHost: a\r\n\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n');
      await heard;
      assert.match(wire, /\r\n\r\n\/0HTTP\/1\.1 200 OK[^]*\r\n\r\n\/1$/);
      // The connection was not idle if an answer was missing.
      if (!early) client.write('GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await once(client, 'close');
      server.close();
      assert.equal(wire.endsWith('\r\n\r\n/2'), !early);
    });
  }
}

for (const door of doors) {
  test(`${door.name}: close() completes behind socket.end() in front of answers that wait, of which one waits for 'drain'`, async () => {
    let first: http.ServerResponse | undefined;
    const server = door.createServer({}, (req, res) => {
      if (req.url === '/1') first = res;
      // Reading stops until these octets are sent, so that nobody hears that the client leaves.
      else if (req.url === '/2') res.once('drain', () => res.end()).write('x'.repeat(300_000));
      else {
        req.socket.end();
        res.end();
        first?.end();
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    for (const path of ['/1', '/2', '/3']) client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(client, 'close');
    const closed = once(server, 'close', { signal: AbortSignal.timeout(10_000) });
    server.close();
    await closed;
  });
}
