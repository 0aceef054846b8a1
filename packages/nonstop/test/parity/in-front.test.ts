import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import type net = require('node:net');
import { test } from 'node:test';
import type express = require('express');
import { maskDate } from '../support/both-doors.js';
import type { Note } from '../support/beside-express.js';
import type { Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';
import { holderOf } from '../support/served.js';
import { SIDES, type Side } from './stage.js';

// Other listeners of a server see a request before the application does, or instead of it. What they set on it stays, and they find no
// methods of Express's.

interface Scene {
  readonly name: string;
  readonly server: (app: express.Express, note: Note) => http.Server;
  /** Asked on the second connection, behind an ordinary request on the first. */
  readonly upgrades?: boolean;
  readonly prepare?: (app: express.Express, note: Note) => void;
}

type Open = Record<string, unknown>;

/** Accessors of Express's requests, without a setter. */
const READ_ONLY = [
  'ip',
  'ips',
  'hostname',
  'host',
  'protocol',
  'path',
  'secure',
  'xhr',
  'subdomains',
  'query',
  'fresh',
  'stale',
];

const GET = 'GET /seen?a=1 HTTP/1.1\r\nHost: a\r\n\r\n';
const UPGRADE = 'GET /chat?a=1 HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: own\r\n\r\n';

/** What is thrown is noted, and not uncaught: then no answer would come, and the test would only hang. */
const setAll = (req: http.IncomingMessage, note: Note): void => {
  try {
    for (const name of READ_ONLY) (req as unknown as Open)[name] = `own ${name}`;
  } catch (error) {
    note(String(error));
  }
};
const namesOf = (message: object): unknown =>
  ['send', 'get', 'app', 'query', 'ip'].map((name) => [name, name in message]);

/** What a router and an application put on the messages themselves, in the order in which it came. */
const ownOf = (message: object): string[] =>
  Object.keys(message).filter((name) =>
    ['res', 'next', 'baseUrl', 'originalUrl', 'params', 'route', 'locals', 'query', 'user', 'app'].includes(name),
  );

const told = (at: string, req: express.Request, res: express.Response): unknown => [
  at,
  ownOf(req),
  ownOf(res),
  typeof req.next,
  req.baseUrl,
  req.originalUrl,
  req.params,
  typeof req.route,
  res.locals,
];

/** Says at each step what the messages have, as programs ask with `hasOwnProperty`. */
function telling(app: express.Express, note: Note): void {
  app.use((req, res, next) => {
    note(told('first', req, res));
    next();
  });
  app.get('/:name', (req, res, next) => {
    note(told('route', req, res));
    Object.assign(req, { user: 'own' });
    next(req.url.includes('?') ? new Error('broken') : undefined);
  });
  app.use(((error, req, res, next) => {
    note(told(String(error), req, res));
    next();
  }) satisfies express.ErrorRequestHandler);
}

const inFront = (app: express.Express): http.Server => http.createServer((req, res) => app(req, res));

const scenes: readonly Scene[] = [
  {
    name: 'behind a function in front of the application, messages get the members of a router at the same steps',
    prepare: telling,
    server: inFront,
  },
  {
    name: 'behind a function in front of the application, members of the prototypes are found, and those of the function stay',
    prepare: (app, note) => {
      const request = { baseUrl: '/of-prototype', params: { of: 'prototype' }, originalUrl: '/of-prototype' };
      Object.assign(app.request, request);
      Object.assign(app.response, { locals: { of: 'prototype' } });
      telling(app, note);
    },
    server: inFront,
  },
  {
    name: 'what a function in front of the application sets for the router stays',
    prepare: telling,
    server: (app) =>
      http.createServer((req, res) => {
        Object.assign(req, { originalUrl: '/own', baseUrl: '/base', params: { of: 'function' }, next: 'own' });
        Object.assign(res, { locals: { of: 'function' } });
        app(req, res);
      }),
  },
  {
    name: 'a function in front of the application sets what Express reads',
    server: (app, note) =>
      http.createServer((req, res) => {
        setAll(req, note);
        app(req, res);
      }),
  },
  {
    name: 'a function in front of the application looks for methods of Express',
    server: (app, note) =>
      http.createServer((req, res) => {
        note([namesOf(req), namesOf(res)]);
        app(req, res);
      }),
  },
  {
    name: "a listener for 'request' is put in front of the application",
    server: (app, note) =>
      http.createServer(app).prependListener('request', (req, res) => {
        note([namesOf(req), namesOf(res)]);
        setAll(req, note);
      }),
  },
  {
    name: "a listener for 'request' behind the application",
    server: (app, note) => http.createServer(app).on('request', (req, res) => note([namesOf(req), namesOf(res)])),
  },
  {
    name: 'a listener takes the place of the application, and calls it, as socket.io does',
    server: (app, note) => {
      const server = http.createServer(app);
      const before = server.listeners('request');
      server.removeAllListeners('request');
      return server.on('request', (req, res) => {
        note([namesOf(req), namesOf(res)]);
        for (const listener of before) listener.call(server, req, res);
      });
    },
  },
  {
    name: "a listener for 'upgrade' sets what Express reads",
    server: (app, note) =>
      http.createServer(app).on('upgrade', (req, socket) => {
        note(namesOf(req));
        setAll(req, note);
        note(READ_ONLY.map((name) => Object.getOwnPropertyDescriptor(req, name)?.value as unknown));
        socket.end('HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n');
      }),
    upgrades: true,
  },
  {
    name: 'an upgrade that nobody listens for is answered by the application',
    server: (app) => http.createServer(app),
    upgrades: true,
  },
];

function seen(make: Framework, prepare: (app: express.Express) => void): express.Express {
  const app = make();
  app.set('env', 'test');
  prepare(app);
  app.use((req, res) => {
    const shown = READ_ONLY.map((name) => [name, (req as unknown as Open)[name]]);
    res.json([Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response, shown]);
  });
  return app;
}

/** On two connections: the first one is node's, until it has reached the application. The second one is read by `by`. */
async function play(
  { make, engine, by }: Side,
  { server: serverOf, upgrades = false, prepare }: Scene,
): Promise<unknown> {
  const notes: unknown[] = [];
  const note: Note = (what) => void notes.push(what);
  const app = seen(make, (one) => prepare?.(one, note));
  if (engine !== undefined) app.set('engine', engine);
  const server = serverOf(app, note);
  const sockets: net.Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wires: string[] = [];
  const talks = [[GET, GET], upgrades ? [UPGRADE] : [GET, GET]];
  for (const [i, requests] of talks.entries()) {
    const client = await RawClient.open(server);
    if (i === 1) assert.equal(holderOf(sockets[1]), by);
    for (const request of requests) {
      await client.send(request);
      await client.answer();
    }
    wires.push(maskDate(client.received));
    client.drop();
  }
  const closed = once(server, 'close');
  server.closeAllConnections();
  server.close();
  await closed;
  return { wires, notes };
}

for (const scene of scenes) {
  test(scene.name, async () => {
    const [oracle, ...subjects] = SIDES;
    const expected = await play(oracle, scene);
    for (const side of subjects) assert.deepEqual(await play(side, scene), expected, side.name);
  });
}
