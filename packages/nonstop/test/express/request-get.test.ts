import assert = require('node:assert/strict');
import { once } from 'node:events';
import { test } from 'node:test';
import { maskDate } from '../support/both-doors.js';
import { oracle } from '../support/oracle.js';
import { RawClient } from '../support/raw-http.js';
import { nonstop } from '../support/subject.js';
import { eachAsExpress, request, type Case } from '../support/beside-express.js';
import type express = require('express');

/** Field names. Each is the first that is read from its request, so it is looked up in the lines of the head. */
const names = [
  'Host',
  'user-agent',
  'USER-AGENT',
  'agent',
  'X-Twice',
  'Cookie',
  'Set-Cookie',
  'Content-Type',
  'Referer',
  'Referrer',
  'X-Empty',
  'X-Blanks',
  'X-Long',
  'X-Latin1',
  'X_Under.Score',
  'x.y',
  'constructor',
  '__proto__',
  'to-string',
  'absent',
  'x',
];

const lines = [
  'host: 127.0.0.1:3000',
  'X-User-Agent: not this',
  'User-Agent: a (b) c',
  'X-Twice: one',
  'x-twice: two',
  'Cookie: a=1',
  'cookie: b=2',
  'Set-Cookie: c',
  'Content-Type: text/plain',
  'content-type: dropped',
  'Referer: http://from.example/',
  'X-Empty:',
  'X-Blanks: \t  in between  \t ',
  `X-Long: ${'long '.repeat(60)}end`,
  'X-Latin1: caf\xe9 \xa0',
  'X_Under.Score: kept',
  'X: Y: X: nested',
];

/** @param head field lines, of which Host is one */
const raw = (head: readonly string[], last: boolean): Buffer =>
  Buffer.from(['GET / HTTP/1.1', ...head, ...(last ? ['Connection: close'] : []), '', ''].join('\r\n'), 'latin1');

/** The same request once for each name, all on one connection: from the second on the lines are cached. */
const sendRepeated = names.map((_, n) => raw(lines, n === names.length - 1));
/** The same, but each request differs from the one before it. */
const sendVaried = names.map((_, n) => raw([...lines, `X-Number: ${n}`], n === names.length - 1));

const asks =
  (...parts: ((req: express.Request, name: string) => unknown)[]): Case['app'] =>
  (app, _kit, note) => {
    let n = 0;
    app.use((req, res) => {
      const name = names[n++];
      note([name, ...parts.map((part) => part(req, name) ?? 'nothing')]);
      res.end();
    });
  };

const get = (req: express.Request, name: string): unknown => req.get(name);
const inherited = (req: express.Request, name: string): unknown => (Object.create(req) as express.Request).get(name);
const headers = (req: express.Request): unknown => ({ ...req.headers });
const rawHeaders = (req: express.Request): unknown => [...req.rawHeaders];

const ways: Readonly<Record<string, Case['app']>> = {
  'as the first question': asks(get),
  'twice, then another': asks(get, get, (req) => req.get('host')),
  'on an object that inherits from the request': asks(inherited, get),
  'before the fields are read': asks(get, headers, rawHeaders, get),
  'after the fields are read': asks(headers, get),
  'after a field is changed': asks((req, name) => {
    req.headers[name.toLowerCase()] = 'changed';
    return req.get(name);
  }),
  'after a field is changed in rawHeaders': asks((req, name) => {
    req.rawHeaders[1] = 'changed';
    return req.get(name);
  }),
  'of a request with headers of its own': asks((req, name) => {
    Object.defineProperty(req, 'headers', { value: { [name.toLowerCase()]: 'own' } });
    return req.get(name);
  }),
  'of an application whose requests have headers of their own': (app, kit, note) => {
    Object.defineProperty(app.request, 'headers', { get: () => ({ host: 'the application says so' }) });
    asks(get)(app, kit, note);
  },
};

eachAsExpress(
  Object.entries(ways).flatMap(([name, app]): Case[] => [
    { name: `req.get() ${name}, of requests that repeat`, app, send: sendRepeated },
    { name: `req.get() ${name}, of requests that differ`, app, send: sendVaried },
  ]),
);

// Of a request of HTTP/1.1 Host is looked for among the fields that are left, before a handler runs.
for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
  test(`req.get() does not see fields of ${version} beyond the limit of maxHeadersCount`, async () => {
    const asked = async (framework: typeof express): Promise<unknown> => {
      const app = framework();
      app.get('/', (req, res) => res.json([req.get('x-last') ?? null, req.get('host') ?? null]));
      const server = app.listen(0, '127.0.0.1');
      server.maxHeadersCount = 2;
      await once(server, 'listening');
      const client = await RawClient.open(server);
      const sent = request('GET /', { 'X-First': '1', 'X-Last': '2' }).toString();
      await client.send(sent.replace('HTTP/1.1', version));
      await client.ended;
      server.close();
      return maskDate(client.received);
    };
    assert.equal(await asked(nonstop as unknown as typeof express), await asked(oracle));
  });
}
