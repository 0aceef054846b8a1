import { once } from 'node:events';
import type http = require('node:http');
import type { Socket } from 'node:net';
import assert = require('node:assert/strict');
import { setTimeout as later } from 'node:timers/promises';
import { bounded } from '../support/bounded.js';
import { eachSameThroughBothDoors, watch, type Scenario } from '../support/both-doors.js';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const clientErrors: NonNullable<Scenario['setup']> = (server, log) =>
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    log('server', 'clientError', error.code);
    // Destroyed as well: otherwise node's parser would report the client's FIN as a second error.
    socket.end('HTTP/1.1 408 Told\r\nConnection: close\r\n\r\n', () => socket.destroy());
  });

/** A deadline that must expire after the sent octets have been read, in ms: a busy machine sometimes takes more than 50 for that. */
const LATE = 250;

/** The events of a request and of its answer once its connection is closed. */
const wasHandled: Scenario['meant'] = ({ events }) => Object.keys(events).some((source) => source.startsWith('res '));

const PART = 'Content-Length: 2\r\n';
const wasAnswered: Scenario['meant'] = ({ wire }) => wire !== '';

// All deadlines here are short, and the test waits for their effects, never for a time.
const deadlines: Scenario[] = [
  {
    name: 'headersTimeout answers 408 to a head that does not end',
    options: { headersTimeout: 50, requestTimeout: 0, connectionsCheckingInterval: 20 },
    send: 'GET / HTTP/1.1\r\nHost: a\r\n',
    answers: 0,
    then: 'wait',
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n\r\n$/),
  },
  {
    name: 'headersTimeout counts from the connection',
    options: { headersTimeout: 50, requestTimeout: 0, connectionsCheckingInterval: 20 },
    answers: 0,
    then: 'wait',
  },
  {
    name: "headersTimeout is reported to 'clientError'",
    options: { headersTimeout: 50, requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    send: 'GET /',
    answers: 0,
    then: 'wait',
  },
  {
    name: 'headersTimeout of a second request on the connection',
    meant: ({ wire }) => wire.startsWith('HTTP/1.1 200 '),
    options: { headersTimeout: LATE, requestTimeout: 0, connectionsCheckingInterval: 20 },
    send: `${get}GET /second HTTP/1.1\r\n`,
    answers: 0,
    then: 'wait',
    setup: clientErrors,
  },
  {
    name: 'requestTimeout answers 408 to a body that does not end',
    meant: wasHandled,
    options: { headersTimeout: 0, requestTimeout: LATE, connectionsCheckingInterval: 20 },
    send: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc',
    answers: 0,
    then: 'wait',
    handler: watch,
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 408 /),
  },
  {
    name: "requestTimeout is reported to 'clientError'",
    meant: wasHandled,
    options: { headersTimeout: 0, requestTimeout: LATE, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    send: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    answers: 0,
    then: 'wait',
    handler: watch,
  },
  {
    name: 'requestTimeout after the answer has begun',
    meant: wasHandled,
    options: { headersTimeout: 0, requestTimeout: LATE, connectionsCheckingInterval: 20 },
    send: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc',
    answers: 0,
    then: 'wait',
    handler: (req, res, log) => {
      watch(req, res, log);
      res.write('begun');
    },
  },
  {
    name: 'no deadline while the handler thinks',
    // Long enough that a busy machine has read the request by then: the deadline must expire after that.
    options: { headersTimeout: 500, requestTimeout: 500, connectionsCheckingInterval: 50 },
    send: get,
    handler: async (_req, res) => {
      await later(900);
      res.end('in time');
    },
    check: ({ wire }) => assert.match(wire, /in time/),
  },
  {
    name: 'keepAliveTimeout closes an idle connection',
    setup: (server) => {
      server.keepAliveTimeout = 40;
      Object.assign(server, { keepAliveTimeoutBuffer: 0 });
    },
    send: get,
    answers: 1,
    then: 'wait',
  },
  {
    name: 'server.timeout destroys a silent connection',
    meant: wasHandled,
    setup: (server) => {
      server.timeout = LATE;
    },
    send: get,
    answers: 0,
    then: 'wait',
    handler: watch,
  },
  {
    name: 'server.timeout destroys a connection without a request',
    setup: (server) => {
      server.timeout = 60;
    },
    answers: 0,
    then: 'wait',
  },
  {
    name: "'timeout' on the server decides",
    meant: wasHandled,
    setup: (server, log) =>
      server.setTimeout(LATE, (socket) => {
        log('server', 'timeout');
        socket.end('HTTP/1.1 599 Slow\r\nConnection: close\r\n\r\n');
      }),
    send: get,
    answers: 0,
    then: 'wait',
    handler: watch,
  },
  {
    name: "res.setTimeout emits 'timeout' on the response",
    send: get,
    answers: 1,
    handler: (_req, res, log) =>
      res.setTimeout(40, () => {
        log('res', 'timeout');
        res.end('slow');
      }),
  },
  {
    name: "req.setTimeout emits 'timeout' on the request",
    send: get,
    answers: 0,
    then: 'wait',
    handler: (req, res, log) =>
      req.setTimeout(40, () => {
        log('req', 'timeout');
        res.end('slow');
      }),
  },
  ...(
    [
      ['server, req and res', ''],
      ['server, req and res', PART],
      ['server', PART],
      ['req', PART],
      ['res', PART],
    ] as const
  ).map(([which, body]): Scenario => ({
    name: `'timeout' listeners on ${which} get the socket ${body === '' ? 'of a request without a body' : 'within a body'}`,
    meant: wasAnswered,
    send: `POST / HTTP/1.1\r\nHost: a\r\n${body}\r\n${body === '' ? '' : 'a'}`,
    answers: 1,
    // What is sent behind a part of a body is the body.
    then: body === '' ? 'probe' : 'drop',
    setup: (server) => void (server.timeout = LATE),
    handler: (req, res, log) => {
      const server = (req.socket as Socket & { server: http.Server }).server;
      for (const [name, emitter] of Object.entries({ server, req, res })) {
        if (!which.includes(name)) continue;
        emitter.once('timeout', (socket: Socket) => {
          log(name, 'timeout', socket === req.socket);
          socket.setTimeout(0);
          if (!res.writableEnded) res.end('slow');
        });
      }
    },
  })),
  {
    name: 'the socket timeout is as node sets it in each phase',
    send: get + get,
    answers: 2,
    setup: (server) => {
      server.keepAliveTimeout = 4_321;
      server.on('connection', (socket) => assert.equal(socket.timeout ?? 0, 0));
    },
    handler: (req, res, log) => {
      log('socket', 'timeout', req.socket.timeout);
      res.end();
    },
  },
];

const counts: Scenario[] = [
  ...[1, 3].map((max): Scenario => ({
    name: `maxRequestsPerSocket ${max} closes after them`,
    setup: (server) => {
      Object.assign(server, { maxRequestsPerSocket: max, keepAliveTimeout: LATE });
    },
    handler: (req, res) => res.end(req.url),
    talk: async (client) => {
      for (let i = 1; i <= max; i++) {
        await client.send(`GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`);
        await client.answer();
      }
      await client.untilClose();
    },
  })),
  {
    name: 'maxRequestsPerSocket answers 503 to pipelined requests beyond',
    setup: (server, log) => {
      server.maxRequestsPerSocket = 2;
      server.on('dropRequest', (req: http.IncomingMessage) => log('server', 'dropRequest', req.url));
    },
    send: ['/1', '/2', '/3', '/4'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
    answers: 0,
    then: 'finish',
    handler: (req, res) => res.end(req.url),
  },
  {
    name: 'maxConnections drops the connection beyond',
    setup: (server, log) => {
      server.maxConnections = 1;
      server.on('drop', () => log('server', 'drop'));
    },
    talk: async (client, { open }) => {
      await client.send(get);
      await client.answer();
      const second = await open();
      await second.untilClose();
      client.drop();
    },
  },
  {
    name: 'requireHostHeader false lets HTTP/1.1 go without Host',
    options: { requireHostHeader: false },
    send: 'GET / HTTP/1.1\r\n\r\n',
  },
  ...['Host: a', 'Expect: nothing', 'Expect: 100-continue'].flatMap((line) =>
    [1, 2, 3].map((place): Scenario => ({
      name: `maxHeadersCount 2, and ${line} as line ${place} of a head`,
      setup: (server) => void Object.assign(server, { maxHeadersCount: 2 }),
      send: `GET / HTTP/1.1\r\n${['X-A: 1', 'Host: b', 'X-C: 3']
        .filter((other) => !other.startsWith(line.slice(0, 4)))
        .toSpliced(place - 1, 0, line)
        .join('\r\n')}\r\n\r\n`,
      then: 'finish',
    })),
  ),
  ...[0, undefined, '', 'yes'].map((value): Scenario => ({
    name: `requireHostHeader set to ${JSON.stringify(value)} later`,
    setup: (server) => void Object.assign(server, { requireHostHeader: value }),
    send: 'GET / HTTP/1.1\r\n\r\n',
  })),
  {
    name: 'requireHostHeader refuses HTTP/1.1 without Host',
    send: 'GET / HTTP/1.1\r\n\r\n',
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 400 Bad Request\r\n/),
  },
  {
    name: 'noDelay and keepAlive options are no hindrance',
    options: { noDelay: false, keepAlive: true, keepAliveInitialDelay: 1_000, highWaterMark: 32_768 },
    send: get,
    handler: (_req, res, log) => {
      log('res', 'highWaterMark', res.writableHighWaterMark);
      res.end('x');
    },
  },
  {
    name: "the default limits are node's",
    send: get,
    handler: (_req, res) => res.end(),
    setup: (server, log) =>
      log('server', 'limits', [
        server.headersTimeout,
        server.requestTimeout,
        server.keepAliveTimeout,
        server.timeout,
        server.maxHeadersCount,
        server.maxRequestsPerSocket,
      ]),
  },
];

/** Longer than the short deadlines above, in ms. For something that must not happen there is no event to wait for. */
const MEANWHILE = 400;

// Connections that must stay open: another deadline expires while each of these waits.
const spared: Scenario[] = [
  {
    name: 'a client that reads for longer than keepAliveTimeout gets the whole answer',
    setup: (server) => {
      server.keepAliveTimeout = 50;
      Object.assign(server, { keepAliveTimeoutBuffer: 0 });
    },
    handler: (req, res, log) => {
      res.end('x'.repeat(8_000_000));
      log('socket', 'is full', req.socket.writableLength > 0);
    },
    talk: async (client) => {
      client.socket.pause();
      await client.send(get);
      await later(MEANWHILE);
      client.socket.resume();
      await client.untilClose();
    },
    check: ({ wire }) => assert.ok(wire.endsWith('x') && wire.length > 8_000_000, `${wire.length} octets`),
  },
  {
    name: 'a keepAliveTimeout of 0 does not end an idle connection, whatever is added to it',
    setup: (server) => Object.assign(server, { keepAliveTimeout: 0, keepAliveTimeoutBuffer: 50 }),
    handler: (req, res) => res.end(req.url),
    talk: async (client) => {
      await client.send(get);
      await client.answer();
      await later(MEANWHILE);
      await client.send(get);
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'server.timeout does not end an idle connection that keepAliveTimeout keeps',
    setup: (server, log) => {
      server.timeout = 100;
      server.keepAliveTimeout = 20_000;
      server.on('timeout', () => log('server', 'timeout'));
    },
    handler: (req, res) => res.end(req.url),
    talk: async (client) => {
      for (let i = 0; i < 2; i++) {
        await client.send(get);
        await client.answer();
        await later(MEANWHILE);
      }
      client.drop();
    },
    check: ({ events }) => assert.deepEqual(events, {}),
  },
  {
    name: 'server.timeout counts again for the next request of an idle connection',
    setup: (server) => {
      server.timeout = LATE;
      server.keepAliveTimeout = 20_000;
    },
    handler: (req, res) => {
      if (req.url === '/') res.end();
    },
    talk: async (client) => {
      await client.send(get);
      await client.answer();
      await client.send('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
      await client.untilClose();
    },
  },
  {
    name: 'a timeout that a request has set is not that of the next one',
    setup: (server, log) => server.on('timeout', () => log('server', 'timeout')),
    handler: async (req, res) => {
      if (req.url === '/') req.setTimeout(100);
      else await later(MEANWHILE);
      res.end(req.url);
    },
    talk: async (client) => {
      for (const path of ['/', '/slow']) {
        await client.send(get.replace('/', path));
        await client.answer();
      }
      client.drop();
    },
    check: ({ events }) => assert.deepEqual(events, {}),
  },
];

/** @param readsAfter ms; undefined if the client never reads */
const behindAnswer = (name: string, times: [timeout: number, keepAlive: number], readsAfter?: number): Scenario => ({
  name: `octets that the program has written behind its answer: ${name}`,
  setup: (server, log) => {
    [server.timeout, server.keepAliveTimeout] = times;
    Object.assign(server, { keepAliveTimeoutBuffer: 0 });
    server.on('connection', (socket) => socket.on('timeout', () => log('socket', 'timeout')));
  },
  handler: ({ socket }, res, log) => {
    res.end();
    // More than the kernel takes.
    socket.write('x'.repeat(8_000_000), (error) => {
      log('socket', 'written', (error as NodeJS.ErrnoException | null)?.code);
      socket.end();
    });
  },
  ignoreWire: true,
  talk: async (client, { server }) => {
    client.socket.pause();
    const asked = once(server, 'request');
    await client.send(get);
    const [{ socket }] = (await asked) as [http.IncomingMessage];
    if (readsAfter === undefined) return bounded(once(socket, 'close'), () => 'the end of the connection');
    await later(readsAfter);
    client.socket.resume();
    return client.untilClose();
  },
});

const leftOpen = (name: string): Scenario => {
  const keepAliveTimeout = 200;
  /** Once the client reads, it depends on its speed whether another `'timeout'` comes. */
  const read = new WeakSet<http.Server>();
  return {
    ...behindAnswer(name, [0, keepAliveTimeout]),
    setup: (server, log) => {
      Object.assign(server, { timeout: 0, keepAliveTimeout, keepAliveTimeoutBuffer: 0 });
      server.on('timeout', () => !read.has(server) && log('server', 'timeout'));
    },
    talk: async (client, { server }) => {
      client.socket.pause();
      // node emits it as soon as the kernel has taken nothing for one keepAliveTimeout.
      const told = once(server, 'timeout');
      await client.send(get);
      await bounded(told, () => "the first 'timeout'");
      // Two more periods; earlier releases add a second to each.
      await later(2 * (keepAliveTimeout + 1000));
      read.add(server);
      client.socket.resume();
      return client.untilClose();
    },
    check: ({ events }) => assert.deepEqual(events['server'], ['timeout']),
  };
};

const writtenBehind: Scenario[] = [
  behindAnswer('server.timeout does not count for them', [100, 20_000], MEANWHILE),
  {
    ...behindAnswer('keepAliveTimeout begins again if the kernel has taken a part', [0, 2000], 2700),
    meant: ({ events }) => events['socket']?.length === 1,
  },
  behindAnswer('keepAliveTimeout ends them if the client takes nothing', [0, 100]),
  leftOpen("a listener of 'timeout' that leaves the connection open is called once"),
];

const resumed: Scenario = {
  name: 'a keep-alive connection that speaks in time is not closed',
  setup: (server) => {
    server.keepAliveTimeout = 2_000;
  },
  handler: (req, res) => res.end(req.url),
  talk: async (client, { server }) => {
    for (let i = 0; i < 3; i++) {
      const called = once(server, 'request');
      await client.send(get);
      await called;
      await client.answer();
    }
    client.drop();
  },
};

eachSameThroughBothDoors([...deadlines, ...counts, ...spared, ...writtenBehind, resumed]);
