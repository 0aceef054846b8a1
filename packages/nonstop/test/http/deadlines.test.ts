import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { mock, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';
import { doors } from '../support/doors.js';
import { HAS_KEEP_ALIVE_BUFFER } from '../../src/node/http-servers.js';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const clientErrors: NonNullable<Scenario['setup']> = (server, log) =>
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    log('server', 'clientError', error.code);
    // Destroyed as well: otherwise node's parser would report the client's FIN as a second error.
    socket.end('HTTP/1.1 408 Told\r\nConnection: close\r\n\r\n', () => socket.destroy());
  });

/** A deadline that must expire after the sent octets have been read, in ms. */
const LATE = 250;
/** Longer than the short deadlines, in ms. For something that must not happen there is no event to wait for. */
const MEANWHILE = 400;
const answeredOk: Scenario['meant'] = ({ wire }) => wire.startsWith('HTTP/1.1 200 ');

/** A head in two parts, of which the second comes when a short deadline would have passed. */
const headInTwoParts: Scenario['talk'] = async (client) => {
  await client.send(get.slice(0, 9));
  await later(MEANWHILE);
  await client.send(get.slice(9));
  await client.answer();
  client.drop();
};

/** A deadline, and two pauses, each much shorter than the deadline and together longer, in ms. */
const DEADLINE = 600;
const PART = 400;

// A deadline starts with the first octet of its message.
const perMessage: Scenario[] = [
  {
    name: 'a head on a connection that was opened long before has the whole headersTimeout',
    meant: answeredOk,
    options: { headersTimeout: DEADLINE, requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    talk: async (client) => {
      await later(PART);
      await client.send(get.slice(0, 10));
      await later(PART);
      await client.send(get.slice(10));
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'a body on a connection that was opened long before has the whole requestTimeout',
    meant: answeredOk,
    options: { headersTimeout: DEADLINE, requestTimeout: DEADLINE, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    talk: async (client) => {
      await later(PART);
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na');
      await later(PART);
      await client.send('b');
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'a client whose every read ends inside the next head is not cut off',
    meant: ({ events }) => events['handler']?.length === 8,
    options: { headersTimeout: DEADLINE, requestTimeout: DEADLINE, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    talk: async (client) => {
      await client.send(get.slice(0, 10));
      for (let i = 0; i < 8 && !client.socket.destroyed; i++) {
        await later(PART / 4);
        await client.send(get.slice(10) + get.slice(0, 10));
        await client.answer();
      }
      client.drop();
    },
    handler: (req, res, log) => {
      log('handler', 'request', req.url);
      res.end();
    },
  },
  {
    name: 'a client whose every read ends inside the next body is not cut off',
    meant: ({ events }) => events['handler']?.length === 9,
    options: { headersTimeout: DEADLINE, requestTimeout: DEADLINE, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    talk: async (client) => {
      const begun = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na';
      await client.send(begun);
      for (let i = 0; i < 8 && !client.socket.destroyed; i++) {
        await later(PART / 4);
        await client.send(`b${begun}`);
        await client.answer();
      }
      client.drop();
    },
    handler: (req, res, log) => {
      log('handler', 'request', req.url);
      req.resume().on('end', () => res.end());
      req.on('error', () => {});
    },
  },
  {
    name: 'a head after empty lines has the whole headersTimeout',
    meant: answeredOk,
    options: { headersTimeout: DEADLINE, requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    talk: async (client) => {
      await client.send('\r\n');
      await later(PART);
      await client.send(get.slice(0, 10));
      await later(PART);
      await client.send(get.slice(10));
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'headersTimeout counts from the connection if only empty lines arrive',
    options: { headersTimeout: LATE, requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: (server, log) => {
      clientErrors(server, log);
      Object.assign(server, { keepAliveTimeout: 10, keepAliveTimeoutBuffer: 0 });
    },
    send: '\r\n',
    answers: 0,
    then: 'wait',
  },
  {
    name: 'a deadline is reported once to a listener that leaves the connection open',
    options: { headersTimeout: 50, requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: (server, log) =>
      server.on('clientError', (error: NodeJS.ErrnoException) => log('server', 'clientError', error.code)),
    talk: async (client, { server }) => {
      const told = once(server, 'clientError');
      await client.send('GET /');
      await told;
      await later(MEANWHILE);
      client.drop(true);
    },
  },
  {
    name: 'a malformed request has its deadline too if a listener leaves the connection open',
    options: { headersTimeout: LATE, requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: (server, log) =>
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        log('server', 'clientError', error.code);
        if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroy();
      }),
    talk: async (client) => {
      await client.send(get);
      await client.answer();
      await client.send('GET / HTTP/1.1\r\n: none\r\n');
      await client.untilClose();
    },
  },
  {
    name: 'without a requestTimeout, a body has no deadline, though its head has one',
    meant: answeredOk,
    options: { headersTimeout: LATE, requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    talk: async (client) => {
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na');
      await later(MEANWHILE);
      await client.send('b');
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'a negative headersTimeout is none',
    meant: answeredOk,
    options: { requestTimeout: 0, connectionsCheckingInterval: 20 },
    setup: (server, log) => {
      clientErrors(server, log);
      server.headersTimeout = -1;
    },
    talk: headInTwoParts,
  },
  {
    name: 'a requestTimeout of less than a millisecond is none',
    meant: answeredOk,
    options: { headersTimeout: 0, connectionsCheckingInterval: 20 },
    setup: (server, log) => {
      clientErrors(server, log);
      server.requestTimeout = 0.5;
    },
    talk: headInTwoParts,
  },
  {
    name: 'a headersTimeout of Infinity is none, and not the one of the request',
    options: { requestTimeout: LATE, connectionsCheckingInterval: 20 },
    setup: (server, log) => {
      clientErrors(server, log);
      server.headersTimeout = Number.POSITIVE_INFINITY;
    },
    talk: async (client) => {
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na');
      await client.untilClose();
    },
  },
  {
    name: 'without a headersTimeout, requestTimeout counts for a head',
    options: { headersTimeout: 0, requestTimeout: 100, connectionsCheckingInterval: 20 },
    setup: clientErrors,
    send: 'GET /',
    answers: 0,
    then: 'wait',
  },
  {
    name: 'the longer of headersTimeout and requestTimeout applies to the request',
    meant: answeredOk,
    options: { connectionsCheckingInterval: 20 },
    setup: (server, log) => {
      clientErrors(server, log);
      server.requestTimeout = LATE;
    },
    talk: async (client) => {
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na');
      await later(MEANWHILE);
      await client.send('b');
      await client.answer();
      client.drop();
    },
  },
];

const clocks: Scenario[] = [
  {
    name: 'a step of the system clock does not cause a deadline',
    options: { connectionsCheckingInterval: 20 },
    setup: clientErrors,
    talk: async (client, { server }) => {
      const called = once(server, 'request');
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na');
      await called;
      const { now } = Date;
      Date.now = () => now() + 3_600_000;
      try {
        await later(MEANWHILE);
      } finally {
        Date.now = now;
      }
      await client.send('b');
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'deadlines that were set while a test had replaced the timers by fakes are met',
    setup: (server) => {
      Object.assign(server, { keepAliveTimeout: 50, keepAliveTimeoutBuffer: 0 });
      mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate'] });
    },
    handler: (_req, res) => res.end('faked'),
    talk: async (client) => {
      try {
        await client.send(get);
        await client.answer();
      } finally {
        mock.timers.reset();
      }
      await client.untilClose();
    },
  },
];

/** A deadline that the application sets once the answer is sent and the connection is idle. */
const ofIdle: Scenario[] = [
  {
    name: 'a timeout that is set after the answer of a request with a body closes the connection',
    send: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na',
    then: 'wait',
    handler: async (req, res) => {
      // The body may have a reader, so ticks run before its end.
      req.on('error', () => undefined);
      res.end('answered');
      await Promise.resolve();
      req.setTimeout(20);
    },
  },
  {
    name: 'a timeout that is set while the connection is idle closes it, though it is longer than the check interval',
    send: get,
    then: 'wait',
    setup: (server) => Object.assign(server, { keepAliveTimeout: 60_000, connectionsCheckingInterval: 20 }),
    handler: (req, res) => {
      res.end('answered');
      setImmediate(() => setImmediate(() => req.socket.setTimeout(1200)));
    },
  },
  ...[Number.NaN, Number.POSITIVE_INFINITY].map((interval): Scenario => ({
    name: `a connectionsCheckingInterval of ${interval} closes no idle connection`,
    setup: (server) => Object.assign(server, { connectionsCheckingInterval: interval }),
    talk: async (client) => {
      await client.send(get);
      await client.answer();
      await later(MEANWHILE);
      await client.send(get);
      await client.answer();
      client.drop();
    },
  })),
  {
    name: 'a timeout that is set while the connection is idle does not apply to the next request',
    talk: async (client) => {
      await client.send(get);
      await client.answer();
      await later(5);
      await client.send(get);
      await client.answer();
      client.drop();
    },
    handler: (() => {
      let first = true;
      return async (req, res, log) => {
        if (first) setImmediate(() => setImmediate(() => req.socket.setTimeout(5000)));
        else log('socket', 'timeout', req.socket.timeout);
        first = !first;
        res.end('answered');
      };
    })(),
  },
];

/** Values that are no time: node takes its default for them, so that the connections keep their other deadlines. */
const oddBuffers: Scenario[] = [Number.NaN, Number.POSITIVE_INFINITY, -1].map((keepAliveTimeoutBuffer) => ({
  name: `keepAliveTimeoutBuffer ${keepAliveTimeoutBuffer} leaves an idle connection open, and headersTimeout in force`,
  options: { headersTimeout: LATE, requestTimeout: 0, connectionsCheckingInterval: 20 },
  setup: (server, log) => {
    clientErrors(server, log);
    Object.assign(server, { keepAliveTimeout: 30, keepAliveTimeoutBuffer });
  },
  talk: async (client) => {
    await client.send(get);
    await client.answer();
    await later(MEANWHILE / 2);
    await client.send('GET / HT');
    await client.untilClose();
  },
}));

/** Under node the socket of a kept-alive connection gets the server's timeout again with each request. */
const ofServer: Scenario[] = [
  {
    name: 'server.timeout, set while a connection is idle, counts for its next request',
    talk: async (client, { server, log }) => {
      await client.send(get);
      await client.answer();
      // Behind the ticks of the answer.
      await later(5);
      server.setTimeout(LATE, (socket: net.Socket) => {
        log('server', 'timeout', socket.timeout);
        socket.destroy();
      });
      await client.send('GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n');
      await client.untilClose();
    },
    handler: (req, res, log) => {
      log('socket', 'timeout', req.socket.timeout);
      if (req.url === '/') res.end('answered');
    },
  },
];

/** The time of a socket, and of a timer that a handler starts, in ms. It must be longer than a busy machine needs to read a request. */
const SAME = LATE;

// Timers of one length are due in the order in which they were started.
const ofOneLength: Scenario[] = Object.entries<(server: http.Server, req?: http.IncomingMessage) => unknown>({
  'server.timeout': (server, req) => req ?? server.setTimeout(SAME),
  'req.setTimeout()': (_, req) => req?.setTimeout(SAME),
}).map(([name, set]) => {
  let mine: http.Server;
  return {
    name: `a timer that a handler starts is due before ${name} of the same length`,
    meant: answeredOk,
    setup: (server) => void set((mine = server)),
    send: get,
    handler: (req, res) => {
      set(mine, req);
      setTimeout(() => res.end('in time'), SAME);
    },
  };
});

const withoutKeepAlive: Scenario[] = [
  {
    name: 'without a keepAliveTimeout, a timeout of the program stays on the socket from request to request',
    setup: (server, log) => {
      server.keepAliveTimeout = 0;
      server.on('connection', (socket) => socket.setTimeout(LATE));
      server.on('timeout', (socket) => {
        log('server', 'timeout');
        socket.destroy();
      });
    },
    talk: async (client) => {
      for (let i = 0; i < 2; i++) {
        await client.send(get);
        await client.answer();
        await later(5);
      }
      await client.send('GET /unanswered HTTP/1.1\r\nHost: a\r\n\r\n');
      await client.untilClose();
    },
    handler: (req, res, log) => {
      log('socket', 'timeout', req.socket.timeout);
      if (req.url === '/') res.end('answered');
    },
  },
];

/** A `keepAliveTimeout` that is no time is none. Before Node had `keepAliveTimeoutBuffer`, an error ended the process. */
const oddTimeouts: Scenario[] = (HAS_KEEP_ALIVE_BUFFER ? [Number.POSITIVE_INFINITY, Number.NaN, -1] : []).map(
  (keepAliveTimeout) => ({
    name: `server.timeout closes an idle connection if keepAliveTimeout is ${keepAliveTimeout}`,
    setup: (server) => Object.assign(server, { keepAliveTimeout, timeout: LATE }),
    send: get,
    then: 'wait',
  }),
);

const closedByOthers: Scenario[] = [
  {
    name: "a listener for 'timeout' that destroys all idle connections hears of one",
    setup: (server, log) => {
      server.keepAliveTimeout = 5;
      server.on('timeout', () => {
        log('server', 'timeout');
        server.closeAllConnections();
      });
    },
    talk: async (client, { open }) => {
      const clients = [client, await open(), await open()];
      for (const each of clients) await each.send(get);
      await Promise.all(clients.map((each) => each.untilClose()));
    },
  },
];

/** Servers that do not listen have no deadlines under node. */
const notListening: Scenario[] = [
  {
    name: 'a body that arrives slowly while the server closes has no deadline',
    options: { headersTimeout: LATE, requestTimeout: LATE, connectionsCheckingInterval: 20 },
    talk: async (client, { server }) => {
      const came = once(server, 'request');
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\na');
      await came;
      server.close();
      await later(MEANWHILE);
      await client.send('b');
      await client.untilClose();
    },
    handler: (req, res) => req.resume().on('end', () => res.end('whole')),
    meant: answeredOk,
  },
];

eachSameThroughBothDoors([
  ...perMessage,
  ...clocks,
  ...ofIdle,
  ...oddBuffers,
  ...ofServer,
  ...ofOneLength,
  ...withoutKeepAlive,
  ...oddTimeouts,
  ...closedByOthers,
  ...notListening,
]);

for (const { name, createServer } of doors) {
  test(`${name}: a server that gets connections without listening has no deadlines`, async () => {
    const options = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 20 };
    const server = createServer(options, (_req, res) => res.end('answered'));
    const front = net.createServer((socket) => server.emit('connection', socket)).listen(0, '127.0.0.1');
    await once(front, 'listening');
    const client = net.connect((front.address() as net.AddressInfo).port, '127.0.0.1');
    client.write(get.slice(0, 10));
    await later(MEANWHILE);
    client.write(get.slice(10));
    const [answer] = (await once(client, 'data')) as [Buffer];
    assert.match(answer.toString('latin1'), /^HTTP\/1\.1 200 /);
    client.destroy();
    front.close();
  });
}
