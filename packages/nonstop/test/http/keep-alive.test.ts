import assert = require('node:assert/strict');
import type http = require('node:http');
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { eachSameThroughBothDoors, type Handler, type Scenario } from '../support/both-doors.js';
import { doors } from '../support/doors.js';

const versions = ['1.0', '1.1'];
const requestConnections = [
  undefined,
  'close',
  'keep-alive',
  'Keep-Alive',
  'CLOSE',
  'close, keep-alive',
  'keep-alive, close',
  'upgrade',
  'x-other',
  '',
  'closed',
  'close, x',
  'close\t',
  'close \t, x',
  'x,\tclose',
  'keep-alive\t',
];

const respond: readonly (readonly [name: string, handler: Handler])[] = [
  ['a known length', (_req, res) => res.end('body')],
  // With this a connection of HTTP/1.0 may stay open.
  ['a Content-Length', (_req, res) => res.setHeader('Content-Length', 4).end('body')],
  [
    'an unknown length',
    (_req, res) => {
      res.write('bo');
      res.end('dy');
    },
  ],
];

// A second request follows each; the wire shows whether it was answered.
const byRequest: Scenario[] = versions.flatMap((version) =>
  requestConnections.flatMap((connection) =>
    respond.map(([name, handler]) => ({
      name: `HTTP/${version} with Connection ${connection ?? 'absent'} and ${name}`,
      send: `GET / HTTP/${version}\r\nHost: a\r\n${connection === undefined ? '' : `Connection: ${connection}\r\n`}\r\n`,
      handler,
    })),
  ),
);

const answers: readonly (readonly [name: string, head: (res: http.ServerResponse) => void])[] = [
  ['Connection: close', (res) => res.setHeader('Connection', 'close')],
  ['Connection: Close', (res) => res.setHeader('Connection', 'Close')],
  ['connection: keep-alive', (res) => res.setHeader('connection', 'keep-alive')],
  ['Connection: X-Own', (res) => res.setHeader('Connection', 'X-Own')],
  ['Connection as a list', (res) => res.setHeader('Connection', ['close', 'X-Own'])],
  ['Connection removed', (res) => res.removeHeader('Connection')],
  ['its own Keep-Alive', (res) => res.setHeader('Keep-Alive', 'timeout=99')],
  [
    'shouldKeepAlive false',
    (res) => {
      res.shouldKeepAlive = false;
    },
  ],
  ['Content-Length removed', (res) => res.removeHeader('Content-Length')],
  ['Transfer-Encoding removed', (res) => res.removeHeader('Transfer-Encoding')],
  [
    'both framings removed',
    (res) => {
      res.removeHeader('Transfer-Encoding');
      res.removeHeader('Content-Length');
    },
  ],
  [
    'useChunkedEncodingByDefault false',
    (res) => {
      res.useChunkedEncodingByDefault = false;
    },
  ],
  ['its own Transfer-Encoding', (res) => res.setHeader('Transfer-Encoding', 'chunked')],
  ['Transfer-Encoding: gzip, chunked', (res) => res.setHeader('Transfer-Encoding', 'gzip, chunked')],
  ['Transfer-Encoding: identity', (res) => res.setHeader('Transfer-Encoding', 'identity')],
  ['Upgrade without upgrading', (res) => res.setHeader('Upgrade', 'h2c')],
];

const byAnswer: Scenario[] = versions.flatMap((version) =>
  answers.flatMap(([what, head]) =>
    respond.map(([name, handler]): Scenario => ({
      name: `an HTTP/${version} answer with ${what} and ${name}`,
      send: `GET / HTTP/${version}\r\nHost: a\r\nConnection: keep-alive\r\n\r\n`,
      answers: 0,
      then: 'finish',
      handler: (req, res, log) => {
        head(res);
        handler(req, res, log);
      },
    })),
  ),
);

// The client above sends FIN, so only the head shows the decision. Here another request follows instead.
const followed: Scenario[] = answers
  .filter(([what]) => what.startsWith('Connection') || what.startsWith('connection'))
  .map(([what, head]): Scenario => ({
    name: `a request behind an answer with ${what}`,
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    then: 'follow',
    handler: (_req, res) => {
      head(res);
      res.end('body');
    },
  }));

const others: Scenario[] = [
  ...['a, keep-alive', 'keep-alive , a', 'a,b', 'close, keep-alive'].map((options): Scenario => ({
    name: `a request behind one of HTTP/1.0 with Connection: ${options}`,
    send: `GET / HTTP/1.0\r\nConnection: ${options}\r\n\r\n`,
    then: 'follow',
  })),
  ...(
    [
      ['1.1', 'close'],
      ['1.0', 'keep-alive'],
      ['1.0', 'x'],
    ] as const
  ).map(([minor, option]): Scenario => ({
    name: `a request behind one of HTTP/${minor} with Proxy-Connection: ${option}`,
    send: `GET / HTTP/${minor}\r\nHost: a\r\nProxy-Connection: ${option}\r\n\r\n`,
    then: 'follow',
  })),
  {
    name: 'keepAliveTimeout shows in Keep-Alive',
    setup: (server) => {
      server.keepAliveTimeout = 7_500;
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  },
  {
    name: 'keepAliveTimeout 0 leaves Keep-Alive out',
    setup: (server) => {
      server.keepAliveTimeout = 0;
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  },
  {
    name: 'keepAliveTimeout below a second shows as 0',
    setup: (server) => {
      server.keepAliveTimeout = 900;
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  },
  ...[2.5, 2 ** 31 - 1, 2 ** 31].map((most): Scenario => ({
    name: `maxRequestsPerSocket ${most} shows in Keep-Alive as under node`,
    setup: (server) => {
      server.maxRequestsPerSocket = most;
    },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  })),
  {
    name: 'a hundred requests, one connection',
    handler: (req, res, log) => {
      sockets.add(req.socket);
      log('handler', 'same socket', sockets.size);
      if (req.url === '/99') sockets.clear();
      res.end(req.url);
    },
    talk: async (client) => {
      for (let i = 0; i < 100; i++) {
        await client.send(`GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
        await client.answer();
      }
      client.drop();
    },
  },
];
const sockets = new Set<unknown>();

/** Longer than the timeouts below, in ms. For something that must not happen there is no event to wait for. */
const MEANWHILE = 400;

const emptyLines: Scenario[] = [
  {
    name: 'closeIdleConnections() and a connection that has sent nothing but empty lines',
    talk: async (client, { server, sendEach }) => {
      // The empty piece waits until the one before it has been read.
      await sendEach(client, ['\r\n', '']);
      server.closeIdleConnections();
      await client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await client.untilClose();
    },
  },
  {
    name: 'keepAliveTimeout does not count before the first request',
    setup: (server) => {
      Object.assign(server, { keepAliveTimeout: 50, keepAliveTimeoutBuffer: 0 });
    },
    talk: async (client) => {
      await client.send('\r\n');
      await later(MEANWHILE);
      await client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await client.untilClose();
    },
  },
];

eachSameThroughBothDoors([...byRequest, ...byAnswer, ...followed, ...others, ...emptyLines]);

for (const { name, createServer } of doors) {
  test(`${name}: keepAliveTimeout ignores a stream that has no setTimeout`, async () => {
    const server = createServer({ connectionsCheckingInterval: 20 }, (req, res) => res.end(req.url));
    Object.assign(server, { keepAliveTimeout: 50, keepAliveTimeoutBuffer: 0 });
    let wire = '';
    const stream = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        wire += chunk.toString('latin1');
        done();
      },
    });
    server.emit('connection', stream);
    for (const path of ['/first', '/second']) {
      assert.equal(stream.destroyed, false);
      stream.push(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await later(MEANWHILE);
      assert.ok(wire.endsWith(path), wire);
    }
    stream.destroy();
  });
}
