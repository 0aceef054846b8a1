import type http = require('node:http');
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, watch, type Handler, type Scenario, type Stage } from '../support/both-doors.js';
import type { RawClient } from '../support/raw-http.js';

const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n';
const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

const state = (req: http.IncomingMessage, res: http.ServerResponse): unknown[] => [
  req.aborted,
  req.complete,
  req.destroyed,
  req.readableEnded,
  req.closed,
  res.destroyed,
  res.closed,
  res.writableEnded,
  res.writableFinished,
];

/** Hangs up (or resets) once the handler runs and, if given, once a text has arrived; then waits until the response has closed. */
function hangUp(send: readonly string[], how: 'drop' | 'reset' | 'finish', after?: string): Scenario['talk'] {
  return async (client: RawClient, { server }: Stage) => {
    const called = new Promise<http.ServerResponse>((resolve) =>
      server.once('request', (_req, res: http.ServerResponse) => resolve(res)),
    );
    for (const piece of send) await client.send(piece);
    const res = await called;
    const over = res.closed ? undefined : once(res, 'close');
    if (after !== undefined) await client.untilReceived(after);
    if (how === 'finish') client.finish();
    else client.drop(how === 'reset');
    await over;
  };
}

const handlers: readonly (readonly [name: string, handler: Handler, after?: string])[] = [
  ['a handler that never answers', watch],
  ['a handler that reads nothing and never answers', (req, res, log) => watch(req, res, log, false)],
  [
    'a handler that has sent the head',
    (req, res, log) => {
      watch(req, res, log);
      res.flushHeaders();
    },
    '\r\n\r\n',
  ],
  [
    'a handler that has written a part',
    (req, res, log) => {
      watch(req, res, log);
      res.write('part');
    },
    'part',
  ],
  ['a handler without listeners', () => undefined],
  [
    'a handler that looks at the states',
    (req, res, log) => {
      log('state', 'start', state(req, res));
      res.on('close', () => log('state', 'res close', state(req, res)));
      req.on('close', () => log('state', 'req close', state(req, res)));
      req.on('aborted', () => log('state', 'req aborted', state(req, res)));
      req.on('error', (error: NodeJS.ErrnoException) =>
        log('state', 'req error', [error.code, error.message, ...state(req, res)]),
      );
      req.resume();
    },
  ],
  [
    'stream.finished',
    (req, res, log) => {
      finished(req, (error) => log('finished', 'req', error?.code));
      finished(res, (error) => log('finished', 'res', error?.code));
      req.resume();
    },
  ],
  [
    'for await',
    async (req, res, log) => {
      try {
        for await (const chunk of req) log('req', 'chunk', String(chunk));
        log('req', 'all read');
      } catch (error) {
        log('req', 'threw', (error as NodeJS.ErrnoException).code);
      }
      res.write('still');
    },
  ],
];

const phases: readonly (readonly [name: string, send: readonly string[]])[] = [
  ['no body', [get]],
  ['a body that has not come', [post]],
  ['half a body', [post, 'hello']],
  ['a whole body', [post, 'helloworld']],
  ['a chunked body in a chunk', [chunked, '5\r\nhel']],
  ['a chunked body between chunks', [chunked, '5\r\nhello\r\n']],
  ['a chunked body in its trailers', [chunked, '5\r\nhello\r\n0\r\nX-T: 1\r\n']],
];

// A reset discards what the server has not read, so the body is compared byte for byte only for hang-ups with FIN.
const hangUps: Scenario[] = phases.flatMap(([phase, send]) =>
  handlers.map(([name, handler, after]): Scenario => ({
    name: `a client hangs up with ${phase} on ${name}`,
    handler,
    ignoreWire: true,
    talk: hangUp(send, 'drop', after),
  })),
);

const resets: Scenario[] = handlers.map(([name, handler, after]): Scenario => ({
  name: `a client resets the connection on ${name}`,
  handler,
  ignoreWire: true,
  talk: hangUp([get], 'reset', after),
}));

const halfClosed: Scenario[] = [
  ...phases.map(([phase, send]): Scenario => ({
    name: `a client half-closes with ${phase}`,
    send,
    answers: 0,
    then: 'finish',
    handler: (req, res, log) => {
      watch(req, res, log);
      req.socket.once('end', () => res.end('answer'));
    },
  })),
  {
    name: 'a half-closed client gets no late answer',
    send: get,
    answers: 0,
    then: 'finish',
    handler: (req, res, log) => {
      watch(req, res, log);
      req.socket.once('end', () => setImmediate(() => res.end('late')));
    },
    check: ({ wire }) => assert.equal(wire, ''),
  },
  {
    name: 'answers that wait for their turn when the client hangs up',
    handler: (req, res, log) => {
      for (const event of ['error', 'close']) res.on(event, () => log(`res ${req.url}`, event, res.errored?.message));
      req.on('close', () => log(`req ${req.url}`, 'close')).on('error', () => undefined);
    },
    talk: async (client, { server }) => {
      const asked = new Promise<http.IncomingMessage>((resolve) =>
        server.on('request', (req) => req.url === '/3' && resolve(req)),
      );
      await client.send(['/1', '/2', '/3'].map((path) => get.replace('/ ', `${path} `)).join(''));
      const { socket } = await asked;
      client.drop();
      await once(socket, 'close');
      await new Promise((resolve) => setImmediate(resolve));
    },
  },
  {
    name: 'httpAllowHalfOpen keeps the connection until the answer',
    setup: (server) => {
      // It is not its idle time that closes it.
      Object.assign(server, { httpAllowHalfOpen: true, keepAliveTimeout: 0 });
    },
    send: get,
    answers: 0,
    then: 'finish',
    handler: (req, res, log) => {
      watch(req, res, log);
      req.socket.once('end', () => setImmediate(() => res.end('late')));
    },
  },
  {
    name: 'a client that connects and hangs up causes no error',
    setup: (server, log) =>
      server.on('clientError', (error: NodeJS.ErrnoException) => log('server', 'clientError', error.code)),
    talk: async (client) => client.drop(),
  },
  {
    name: 'a client that connects and half-closes is closed',
    setup: (server, log) =>
      server.on('clientError', (error: NodeJS.ErrnoException) => log('server', 'clientError', error.code)),
    answers: 0,
    then: 'finish',
  },
  {
    name: 'a client that resets before a request reports clientError',
    setup: (server, log) => {
      server.on('connection', (socket) => accepted.set(server, socket));
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        log('server', 'clientError', error.code);
        socket.destroy();
      });
    },
    talk: async (client, { server }) => {
      const error = once(server, 'clientError');
      await client.send('GET / HT');
      // A reset that arrives before accept() or before the first read looks like a normal end.
      const socket = accepted.get(server) ?? ((await once(server, 'connection')) as [Socket])[0];
      while (socket.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve));
      client.drop(true);
      await error;
    },
  },
  {
    name: 'a client that hangs up within the head',
    setup: (server, log) =>
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        log('server', 'clientError', error.code);
        socket.destroy();
      }),
    send: 'GET / HTTP/1.1\r\nHos',
    answers: 0,
    then: 'finish',
  },
];

const accepted = new WeakMap<http.Server, Socket>();

const late: Scenario[] = [
  ...['x\r\n', '3\r\nabc-', '5\r\nab'].map((rest): Scenario => ({
    name: `a body that breaks with ${JSON.stringify(rest)} after its request was answered`,
    handler: (req, res, log) => {
      watch(req, res, log);
      res.end('early');
    },
    talk: async (client) => {
      await client.send(chunked);
      await client.answer();
      await client.send(rest);
      client.finish();
      await client.untilClose();
    },
  })),
  {
    name: 'writing after the client is gone is silent',
    ignoreWire: true,
    handler: (req, res, log) => {
      watch(req, res, log);
      res.on('close', () => {
        log(
          'late',
          'write',
          res.write('x', (error) => log('late', 'write callback', (error as NodeJS.ErrnoException | null)?.code)),
        );
        res.end('y', () => log('late', 'end callback'));
        log('late', 'state', [res.headersSent, res.writableEnded, res.writableFinished, res.destroyed]);
      });
    },
    talk: hangUp([get], 'drop'),
  },
  {
    name: 'setting fields after the client is gone is allowed',
    ignoreWire: true,
    handler: (_req, res, log) => {
      res.on('close', () => {
        res.setHeader('X-Late', '1');
        res.writeHead(200);
        log('late', 'headersSent', res.headersSent);
        res.end();
      });
    },
    talk: hangUp([get], 'drop'),
  },
  {
    name: 'the next connection works after an abort',
    ignoreWire: true,
    handler: (req, res) => {
      if (req.url === '/ok') res.end('ok');
    },
    talk: async (client, stage) => {
      await hangUp([post, 'hel'], 'reset')?.(client, stage);
      const second = await stage.open();
      await second.send('GET /ok HTTP/1.1\r\nHost: a\r\n\r\n');
      assert.equal((await second.answer()).body.toString(), 'ok');
    },
  },
];

const waiting: Scenario[] = [
  {
    name: 'requests whose answers wait together in a corked socket end with a client that resets',
    ignoreWire: true,
    talk: async (client, { server }) => {
      const closed = new Promise<void>((resolve) =>
        server.on('request', (req: http.IncomingMessage) => {
          if (req.url === '/last') req.on('close', () => resolve());
        }),
      );
      await client.send(['/first', '/second', '/last'].map((url) => get.replace('/', url)).join(''));
      await client.answer();
      client.drop(true);
      await closed;
    },
    handler: (req, res, log) => {
      if (req.url === '/first') {
        // Before the next answers are written.
        res.prependListener('finish', () => req.socket.cork());
        setImmediate(() => res.end());
        return;
      }
      for (const event of ['aborted', 'error', 'close']) req.on(event, () => log(`req ${req.url}`, event));
      res.end('answer');
    },
  },
];

eachSameThroughBothDoors([...waiting, ...hangUps, ...resets, ...halfClosed, ...late]);
