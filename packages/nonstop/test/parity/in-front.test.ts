import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import { test } from 'node:test';
import type express = require('express');
import { maskDate } from '../support/both-doors.js';
import type { Note } from '../support/beside-express.js';
import type { Framework } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';
import { SIDES, type Side } from './stage.js';

// Other listeners of a server see a request before the application does, or instead of it. What they set on it stays, and they find no
// methods of Express's.

interface Scene {
  readonly name: string;
  readonly server: (app: express.Express, note: Note) => http.Server;
  readonly send?: string;
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

const setAll = (req: http.IncomingMessage): void => {
  for (const name of READ_ONLY) (req as unknown as Open)[name] = `own ${name}`;
};
const namesOf = (message: object): unknown =>
  ['send', 'get', 'app', 'query', 'ip'].map((name) => [name, name in message]);

const scenes: readonly Scene[] = [
  {
    name: 'a function in front of the application sets what Express reads',
    server: (app) =>
      http.createServer((req, res) => {
        setAll(req);
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
        setAll(req);
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
        setAll(req);
        note(READ_ONLY.map((name) => (req as unknown as Open)[name]));
        socket.end('HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n');
      }),
    send: UPGRADE,
  },
  {
    name: 'an upgrade that nobody listens for is answered by the application',
    server: (app) => http.createServer(app),
    send: UPGRADE,
  },
];

function seen(make: Framework): express.Express {
  const app = make();
  app.set('env', 'test');
  app.use((req, res) => {
    const shown = READ_ONLY.map((name) => [name, (req as unknown as Open)[name]]);
    res.json([Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response, shown]);
  });
  return app;
}

/** On two connections: the first one is node's, until it has reached the application. */
async function play({ make, engine }: Side, { server: serverOf, send = GET }: Scene): Promise<unknown> {
  const notes: unknown[] = [];
  const app = seen(make);
  if (engine !== undefined) app.set('engine', engine);
  const server = serverOf(app, (what) => notes.push(what));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wires: string[] = [];
  for (let i = 0; i < 2; i++) {
    const client = await RawClient.open(server);
    for (let j = 0; j < (send === GET ? 2 : 1); j++) {
      await client.send(send);
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
