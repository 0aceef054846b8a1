import assert = require('node:assert/strict');
import type http = require('node:http');
import http2 = require('node:http2');
import { test } from 'node:test';
import type express = require('express');
import { ours } from '../support/framework.js';
import { answerOf } from '../support/http2-client.js';
import { served } from '../support/http2-server.js';

/* The first request of a server of node:http2 is made by node. It must have the same events and the same effects as all others. */

type App = (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void;
type Pass = (app: App) => App;

const PASSED: Readonly<Record<string, Pass>> = {
  'at once': (app) => app,
  later: (app) => (req, res) => void setImmediate(app, req, res),
  'after its body was read': (app) => (req, res) => {
    req.resume().on('end', () => setImmediate(app, req, res));
  },
};

const HANDLERS: Readonly<Record<string, express.RequestHandler>> = {
  'is answered at once': (_req, res) => void res.end('whole'),
  'is answered in parts': (_req, res) => {
    res.write('who');
    setImmediate(() => res.end('le'));
  },
  'is read after its answer': (req, res) => {
    res.end('whole');
    req.resume();
  },
  'is read if it can be': (req, res) => {
    if (req.readableEnded) res.end('whole');
    else req.on('end', () => res.end('whole')).resume();
  },
};

for (const [passed, pass] of Object.entries(PASSED)) {
  for (const [handled, handler] of Object.entries(HANDLERS)) {
    for (const method of ['GET', 'POST']) {
      test(`${method}: a first request that is passed on ${passed} and ${handled}`, { timeout: 5000 }, async () => {
        const app = ours();
        const heard: string[] = [];
        let closed: Promise<unknown> | undefined;
        let req!: express.Request;
        app.use((asked, res, next) => {
          req = asked;
          for (const event of ['aborted', 'error']) req.on(event, () => heard.push(`req ${event}`));
          for (const event of ['finish', 'close']) res.on(event, () => heard.push(`res ${event}`));
          closed = req.closed ? undefined : new Promise((resolve) => req.once('close', resolve));
          handler(asked, res, next);
        });
        const { session, close } = await served(http2.createServer(pass(app as unknown as App)));
        const told: unknown[] = [];
        for (let i = 0; i < 2; i++) {
          heard.length = 0;
          const stream = session.request({ ':method': method }, { endStream: method === 'GET' });
          if (method === 'POST') stream.end('body');
          const { body, whole } = await answerOf(stream);
          await closed;
          const { complete, aborted, destroyed } = req;
          told.push({ body: body.toString(), whole, heard: heard.toSorted(), complete, aborted, destroyed });
        }
        await close();
        assert.deepEqual(told[0], told[1]);
      });
    }
  }
}

test(
  'a first request whose body is being read before its application gets it is read to its end',
  { timeout: 5000 },
  async () => {
    const app = ours();
    app.use((req, res) => {
      req.on('end', () => res.end(String(size)));
      res.flushHeaders();
    });
    let size = 0;
    const server = http2.createServer((req, res) => {
      req.on('data', (chunk: Buffer) => (size += chunk.length));
      // Its reader waits for more.
      req.once('data', () => setImmediate(app as unknown as App, req, res));
    });
    const { session, close } = await served(server);
    for (const sent of ['8', '16']) {
      const stream = session.request({ ':method': 'POST' }, { endStream: false });
      const answer = answerOf(stream);
      stream.once('response', () => stream.end('rest')).write('part');
      assert.equal((await answer).body.toString(), sent);
    }
    await close();
  },
);

test(
  'a first response whose head is sent before its application gets it refuses further fields',
  { timeout: 5000 },
  async () => {
    const app = ours();
    app.disable('x-powered-by');
    app.use((_req, res) => {
      assert.ok(res.headersSent);
      assert.throws(() => res.setHeader('X-Late', '1'), { code: 'ERR_HTTP_HEADERS_SENT' });
      res.end('whole');
    });
    const server = http2.createServer((req, res) => {
      res.writeHead(201).write('the ');
      (app as unknown as App)(req, res);
    });
    const { session, close } = await served(server);
    for (let i = 0; i < 2; i++) {
      const { status, body } = await answerOf(session.request({}));
      assert.deepEqual([status, body.toString()], [201, 'the whole']);
    }
    await close();
  },
);

type Trailing = http.ServerResponse & { setTrailer(name: string, value: string): void };

const IN_FRONT: Readonly<
  Record<string, readonly [inFront: (res: Trailing) => unknown, handler: express.RequestHandler]>
> = {
  'whose trailers are set in front of its application': [
    (res) => {
      res.setTrailer('x-one', '1');
      res.setTrailer('x-two', '2');
    },
    (_req, res) => void res.end('whole'),
  ],
  'whose head is sent in front of its application, and that has trailers': [
    (res) => res.flushHeaders(),
    (_req, res) => {
      res.addTrailers({ 'x-one': '1' });
      res.end('whole');
    },
  ],
  'that is begun in front of its application, and that has trailers': [
    (res) => res.write('the '),
    (_req, res) => {
      res.addTrailers({ 'x-one': '1' });
      res.end('whole');
    },
  ],
  'whose deadline is set in front of its application': [
    (res) => res.setTimeout(10),
    (_req, res) => void res.on('timeout', () => res.end('timed out')),
  ],
  'whose deadline has a callback in front of its application': [
    (res) => res.setTimeout(10, () => res.end('timed out')),
    () => undefined,
  ],
  'whose deadline is set in front of its application, and has no listener': [
    (res) => res.setTimeout(10),
    () => undefined,
  ],
};

for (const [name, [inFront, handler]] of Object.entries(IN_FRONT)) {
  test(`a first response ${name} is sent as the second`, { timeout: 5000 }, async () => {
    const app = ours().disable('x-powered-by');
    app.use(handler);
    const server = http2.createServer((req, res) => {
      inFront(res as never);
      (app as unknown as App)(req, res);
    });
    const { session, close } = await served(server);
    const told: unknown[] = [];
    for (let i = 0; i < 2; i++) {
      const { status, body, trailers, reset, whole } = await answerOf(session.request({}));
      told.push({ status, body: body.toString(), trailers, reset, whole });
    }
    await close();
    assert.deepEqual(told[0], told[1]);
  });
}

test('a first request that is passed on after its client has left is closed', { timeout: 5000 }, async () => {
  const app = ours();
  const closed = new Promise((resolve) => {
    app.use((req, res) => void res.on('close', () => resolve([req.aborted, req.complete, res.writableFinished])));
  });
  const server = http2.createServer((req, res) => {
    req.on('close', () => setImmediate(app as unknown as App, req, res));
  });
  const { session, close } = await served(server);
  const stream = session.request({ ':method': 'POST' }, { endStream: false });
  stream.on('error', () => undefined).write('part');
  server.once('request', () => stream.close(http2.constants.NGHTTP2_CANCEL));
  assert.deepEqual(await closed, [true, false, false]);
  await close();
});
