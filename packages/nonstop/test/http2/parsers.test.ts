import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import http = require('node:http');
import type http2 = require('node:http2');
import type net = require('node:net');
import { test } from 'node:test';
import type express = require('express');
import { ours, type Framework } from '../support/framework.js';
import { answerOf, ask } from '../support/http2-client.js';
import { serve, serveFirst } from '../support/http2-server.js';
import { oracle } from '../support/oracle.js';
import { block, END_HEADERS, END_STREAM, Frame, frame, RawHttp2 } from '../support/raw-http2.js';

/*
 * Body parsers read a few fields of a head without `req.headers`. They must still see what programs have changed in the fields. The other side
 * is Express over HTTP/1.
 */

const BODY = '{"a":[1,2]}';

type Build = (app: express.Express, framework: Framework) => void;

interface Case {
  readonly name: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly build: Build;
}

const parse = (options?: Parameters<Framework['json']>[0]): Build => {
  return (app, framework) => void app.use(framework.json(options));
};

/** An application whose middleware changes a request before it is parsed. */
const changed = (change: (req: express.Request) => void): Build => {
  return (app, framework) => {
    app.use((req, _res, next) => {
      change(req);
      next();
    });
    app.use(framework.json());
  };
};

const cases: readonly Case[] = [
  { name: 'as they were sent', build: parse() },
  { name: 'of another type', fields: { 'content-type': 'text/plain' }, build: parse() },
  { name: 'without a type', fields: { 'content-type': '' }, build: parse() },
  { name: 'of an unknown coding', fields: { 'content-encoding': 'x-none' }, build: parse() },
  { name: 'of an unknown charset', fields: { 'content-type': 'application/json; charset=x-none' }, build: parse() },
  { name: 'that were read before', build: changed((req) => req.headers) },
  {
    name: 'that were changed before',
    fields: { 'content-type': 'text/plain' },
    build: changed((req) => (req.headers['content-type'] = 'application/json')),
  },
  {
    name: 'whose length was changed before',
    build: changed((req) => (req.headers['content-length'] = '3')),
  },
  {
    name: 'that were replaced before',
    build: changed((req) => (req.headers = { 'content-type': 'text/plain', 'content-length': '11' })),
  },
  {
    name: "that are the request's own",
    build: changed((req) => Object.defineProperty(req, 'headers', { value: { 'content-length': '11' } })),
  },
  {
    name: "of the application's requests",
    build(app, framework) {
      Object.defineProperty(app.request, 'headers', {
        configurable: true,
        enumerable: true,
        get: () => ({ 'content-type': 'text/plain', 'content-length': '11' }),
      });
      app.use(framework.json());
    },
  },
  {
    name: 'that are changed by the check of the type',
    build: parse({
      type(req) {
        req.headers['content-type'] = 'application/json; charset=x-none';
        return true;
      },
    }),
  },
];

/** Answers with what a parser has made of the body, or with its error. */
function application(framework: Framework, build: Build): express.Express {
  const app = framework();
  app.set('env', 'test');
  build(app, framework);
  app.use((req, res) => void res.json({ body: req.body as unknown }));
  app.use(((error: Error & { status?: number; type?: string }, _req, res, _next) => {
    res.status(error.status ?? 500).json({ type: error.type, message: error.message });
  }) as express.ErrorRequestHandler);
  return app;
}

async function overHttp1(app: express.Express, headers: Record<string, string>): Promise<unknown> {
  const server = http.createServer(app as http.RequestListener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as net.AddressInfo;
    const req = http.request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false });
    req.end(BODY);
    const [res] = (await once(req, 'response')) as [http.IncomingMessage];
    return [res.statusCode, JSON.parse(Buffer.concat((await res.toArray()) as Buffer[]).toString())];
  } finally {
    server.close();
  }
}

for (const { name, fields = {}, build } of cases) {
  test(`a parser reads fields ${name} as over HTTP/1`, async () => {
    const headers: Record<string, string> = { 'content-type': 'application/json', 'content-length': '11', ...fields };
    if (headers['content-type'] === '') delete headers['content-type'];
    const { session, close } = await serve(application(ours, build));
    try {
      const answer = await ask(session, { headers: { ':method': 'POST', ...headers }, body: BODY });
      const expected = await overHttp1(application(oracle, build), headers);
      assert.deepEqual([answer.status, JSON.parse(answer.body.toString())], expected);
    } finally {
      await close();
    }
  });
}

test('a body without a length is parsed', async () => {
  const { session, close } = await serve(application(ours, parse()));
  const headers = { ':method': 'POST', 'content-type': 'application/json' };
  const { body } = await ask(session, { headers, body: BODY });
  assert.equal(body.toString(), JSON.stringify({ body: JSON.parse(BODY) as unknown }));
  await close();
});

for (const [what, open] of [
  ['a request', serve],
  ["a first request of node's", serveFirst],
] as const) {
  test(`a body that a parser has read by an object that inherits from its request is not read again: ${what}`, async () => {
    const json = ours.json();
    const app = ours();
    app.use((req, res, next) => json(Object.create(req) as typeof req, res, next));
    app.use(json);
    app.use((req, res) => res.json({ again: req.body !== undefined, complete: req.complete }));
    const { session, close } = await open(app as never);
    const headers = { ':method': 'POST', 'content-type': 'application/json' };
    const { body } = await ask(session, { headers, body: BODY });
    assert.deepEqual(JSON.parse(body.toString()), { again: false, complete: true });
    await close();
  });
}

test('a body without a length that exceeds the limit of its parser is refused as over HTTP/1', async () => {
  const { session, close } = await serve(application(ours, parse({ limit: 5 })));
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await ask(session, { headers: { ':method': 'POST', ...headers }, body: BODY });
  const chunked = { ...headers, 'transfer-encoding': 'chunked' };
  const expected = await overHttp1(application(oracle, parse({ limit: 5 })), chunked);
  assert.deepEqual([status, JSON.parse(body.toString())], expected);
  assert.equal(status, 413);
  await close();
});

test('a body that a parser and a listener of its stream read goes to both', async () => {
  const json = ours.json();
  const { session, close } = await serve((req, res) => {
    let read = '';
    const { stream } = req as unknown as http2.Http2ServerRequest;
    stream.on('data', (part: Buffer) => (read += String(part)));
    json(req, res, (error) => {
      const { body } = req as express.Request;
      res.end(JSON.stringify(error ?? { read, body: body as unknown }));
    });
  });
  const { body } = await ask(session, {
    headers: { ':method': 'POST', 'content-type': 'application/json' },
    body: BODY,
  });
  assert.deepEqual(JSON.parse(body.toString()), { read: BODY, body: JSON.parse(BODY) as unknown });
  await close();
});

test('a body that a parser collects while another reads it goes to both', async () => {
  const json = ours.json();
  const { session, close } = await serve((req, res) => {
    let read = '';
    json(req, res, (error) => {
      const { body } = req as express.Request;
      res.end(JSON.stringify(error ?? { read, body: body as unknown }));
    });
    setImmediate(() => {
      req.on('data', (part: Buffer) => (read += String(part)));
      stream.end('"b"}');
    });
  });
  const stream = session.request({ ':method': 'POST', 'content-type': 'application/json' });
  stream.write('{"a":');
  const { body } = await answerOf(stream);
  assert.deepEqual(JSON.parse(body.toString()), { read: '{"a":"b"}', body: { a: 'b' } });
  await close();
});

test('a handler after a parser has the async context in which the parser was called', async () => {
  const storage = new AsyncLocalStorage<string>();
  const app = application(ours, (on, framework) => {
    on.use((req, _res, next) => storage.run(req.url, next));
    on.use(framework.json());
    on.use((_req, res) => void res.send(storage.getStore()));
  });
  const { session, close } = await serve(app);
  const paths = ['/a', '/b', '/c'];
  const asked = paths.map((path) =>
    ask(session, {
      headers: { ':method': 'POST', ':path': path, 'content-type': 'application/json' },
      body: BODY,
    }),
  );
  assert.deepEqual(
    (await Promise.all(asked)).map(({ body }) => body.toString()),
    paths,
  );
  await close();
});

test('the first of two Content-Type fields counts, as over HTTP/1', async () => {
  const all = await serve(application(ours, parse()));
  const client = await RawHttp2.open(all.server);
  const post = { ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'raw' };
  const head = Buffer.concat([
    block({ ...post, 'content-type': 'application/json' }),
    block({ 'content-type': 'text/plain' }),
  ]);
  client.send(frame(Frame.Headers, END_HEADERS, 1, head), frame(Frame.Data, END_STREAM, 1, Buffer.from(BODY)));
  const { payload } = (await client.until(Frame.Data, 1))!;
  assert.equal(payload.toString(), JSON.stringify({ body: JSON.parse(BODY) as unknown }));
  client.drop();
  await all.close();
});

test('answers whose fields change and come back have their own values', async () => {
  const { session, close } = await serve((req, res) => {
    res.setHeader('X-Value', req.url!.slice(1));
    res.end('whole');
  });
  const long = 'x'.repeat(600);
  const values = ['a', 'a', 'a', 'b', 'a', 'b', 'b', long, long, 'b', '1', 'b'];
  const seen: (string | undefined)[] = [];
  for (const value of values) {
    const { fields } = await ask(session, { headers: { ':path': `/${value}` } });
    seen.push(Object.fromEntries(fields)['x-value']);
  }
  assert.deepEqual(seen, values);
  await close();
});
