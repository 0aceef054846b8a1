import type http = require('node:http');
import { once } from 'node:events';
import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, watch, type Scenario } from '../support/both-doors.js';

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
// Up to Node 24 such a connection stays open until its keepAliveTimeout.
const impatient = (server: http.Server): void => {
  server.keepAliveTimeout = 50;
};
const nextRequest = (server: http.Server): Promise<[http.IncomingMessage, http.ServerResponse]> =>
  new Promise((resolve) => server.once('request', (req, res) => resolve([req, res])));

const scenarios: Scenario[] = [
  {
    name: 'close() lets the request in flight end and closes its connection',
    setup: impatient,
    handler: watch,
    talk: async (client, { server, log }) => {
      const called = nextRequest(server);
      await client.send(get());
      const [, res] = await called;
      server.close((error) => log('server', 'closed', error === undefined));
      res.end('last');
      assert.equal((await client.answer()).body.toString(), 'last');
      await client.untilClose();
    },
  },
  {
    name: 'close() closes idle connections at once',
    handler: (_req, res) => res.end(),
    talk: async (client, { server, log }) => {
      await client.send(get());
      await client.answer();
      const closed = once(server, 'close');
      server.close();
      await client.untilClose();
      await closed;
      log('server', 'closed', server.listening);
    },
  },
  {
    name: 'close() leaves a connection that has not spoken to closeAllConnections',
    talk: async (client, { server, log }) => {
      if ((await connections(server)) === 0) await once(server, 'connection');
      server.close();
      server.closeIdleConnections();
      log('server', 'connections', await connections(server));
      server.closeAllConnections();
      await client.untilClose();
    },
  },
  {
    name: 'close() twice reports the second',
    talk: async (client, { server, log }) => {
      client.drop();
      server.close();
      await new Promise<void>((resolve) =>
        server.close((error?: NodeJS.ErrnoException) => {
          log('server', 'second close', error?.code);
          resolve();
        }),
      );
    },
  },
  {
    name: 'closeIdleConnections spares a request in flight',
    handler: (req, res) => {
      if (req.url !== '/slow') res.end();
    },
    talk: async (client, { server, open, log }) => {
      const idle = await open();
      await idle.send(get('/idle'));
      await idle.answer();
      const called = nextRequest(server);
      await client.send(get('/slow'));
      const [, res] = await called;
      server.closeIdleConnections();
      await idle.untilClose();
      log('server', 'connections', await connections(server));
      res.end('spared');
      assert.equal((await client.answer()).body.toString(), 'spared');
      client.drop();
    },
  },
  {
    name: 'closeIdleConnections spares a request whose body is not read yet',
    handler: watch,
    talk: async (client, { server, log }) => {
      const called = nextRequest(server);
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
      const [, res] = await called;
      server.closeIdleConnections();
      log('server', 'connections', await connections(server));
      res.on('close', () => log('late', 'close'));
      await client.send('defghij');
      res.end('spared');
      await client.answer();
      client.drop();
    },
  },
  {
    name: 'closeIdleConnections and a response that ended before its request',
    handler: (req, res, log) => {
      log('handler', 'called', req.url);
      res.end('early');
    },
    talk: async (client, { server, log }) => {
      await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
      await client.answer();
      server.closeIdleConnections();
      log('server', 'connections', await connections(server));
      client.drop();
    },
  },
  {
    name: 'closeAllConnections drops a request in flight',
    handler: watch,
    talk: async (client, { server }) => {
      const called = nextRequest(server);
      await client.send(get());
      await called;
      server.closeAllConnections();
      await client.untilClose();
    },
  },
  {
    name: 'closeAllConnections drops half a head',
    talk: async (client, { server }) => {
      await client.send(get());
      await client.answer();
      await client.send('GET / HT');
      server.closeAllConnections();
      await client.untilClose();
    },
  },
  {
    name: 'after close() a keep-alive answer is judged alike',
    setup: impatient,
    handler: () => undefined,
    talk: async (client, { server }) => {
      const called = nextRequest(server);
      await client.send(get());
      const [, res] = await called;
      server.close();
      res.end('x');
      const { fields } = await client.answer();
      assert.ok(fields.some(([name]) => name === 'Connection'));
      await client.untilClose();
    },
  },
  {
    name: 'a server can listen again after close()',
    handler: (_req, res) => res.end('again'),
    talk: async (client, { server, open }) => {
      client.drop();
      server.close();
      await once(server, 'close');
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const second = await open();
      await second.send(get());
      assert.equal((await second.answer()).body.toString(), 'again');
    },
  },
  {
    name: 'asyncDispose closes the server',
    talk: async (client, { server, log }) => {
      client.drop();
      await (server as unknown as Record<symbol, () => Promise<void>>)[
        Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')
      ]();
      log('server', 'listening', server.listening);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    },
  },
];

function connections(server: http.Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    }),
  );
}

eachSameThroughBothDoors(scenarios);
