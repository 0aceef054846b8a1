import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http = require('node:http');
import path = require('node:path');
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { promisify } from 'node:util';
import rawBody = require('raw-body');
import express = require('express');
import { described } from '../support/beside-express.js';
import { RawClient } from '../support/raw-http.js';
import { collect, isCollectable } from '../../src/body/collect.js';
import { decode } from '../../src/body/charset.js';
import { json } from '../../src/body/json.js';
import { express as nonstop } from '../../src/express/express.js';
import { compiled } from '../support/paths.js';
import { subject } from '../support/subject.js';
import { seeded } from '../support/seeded.js';
import type { BodyRequest } from '../../src/body/shape.js';

type Handler = (req: http.IncomingMessage, res: http.ServerResponse, next: (error?: unknown) => void) => void;

/** Opens a client to a server that is about to listen, and runs `play` with it. */
async function talking(server: http.Server, play: (client: RawClient) => Promise<void>): Promise<void> {
  await once(server, 'listening');
  const client = await RawClient.open(server);
  try {
    await play(client);
  } finally {
    client.drop();
    server.closeAllConnections();
    server.close();
  }
}

const serving = (handler: http.RequestListener, play: (client: RawClient) => Promise<void>): Promise<void> =>
  talking(http.createServer(handler).listen(0, '127.0.0.1'), play);

const head = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('the async context of a request lasts through its body', async () => {
  const storage = new AsyncLocalStorage<number>();
  const app = nonstop() as unknown as express.Express;
  let count = 0;
  app.use((_req, _res, next) => storage.run((count += 1), next));
  app.use(json());
  app.use((_req, res) => void res.send(String(storage.getStore())));
  await talking(app.listen(0, '127.0.0.1'), async (client) => {
    for (const expected of ['1', '2', '3']) {
      // The body arrives after the handler has started, in an event of the connection.
      await client.send(head(7));
      await client.send('{"a":1}');
      assert.equal((await client.answer()).body.toString(), expected);
    }
  });
});

for (const [name, parser] of [
  ['ours', json()],
  ["Express's", express.json()],
] as [string, Handler][]) {
  test(`a client that leaves in the middle of its body is reported, by ${name}`, async () => {
    let report: (error: unknown) => void;
    const reported = new Promise((resolve) => (report = resolve));
    let arrived: () => void;
    const arriving = new Promise<void>((resolve) => (arrived = resolve));
    await serving(
      (req, res) => {
        parser(req, res, report);
        req.once('data', arrived);
      },
      async (client) => {
        await client.send(`${head(100)}{"a":`);
        await arriving;
        client.drop();
        assert.deepEqual(described(await reported), {
          name: 'BadRequestError',
          message: 'request aborted',
          code: 'ECONNABORTED',
          expected: 100,
          length: 100,
          received: 5,
          type: 'request.aborted',
        });
      },
    );
  });
}

test('nothing listens to a request whose body was read', async () => {
  const parser = json();
  const events = ['aborted', 'close', 'data', 'end', 'error'];
  await serving(
    (req, res) => {
      const before = events.map((event) => req.listenerCount(event));
      parser(req, res, () => res.end(JSON.stringify([before, events.map((event) => req.listenerCount(event))])));
    },
    async (client) => {
      await client.send(`${head(2)}{}`);
      const [before, after] = JSON.parse((await client.answer()).body.toString()) as unknown[];
      assert.deepEqual(after, before);
    },
  );
});

/** An object with the parts of a request that reading uses: a stream of chunks, and header fields. */
function pretend(chunks: Buffer[], length: number | undefined): BodyRequest {
  const fields = length === undefined ? {} : { 'content-length': String(length) };
  return Object.assign(Readable.from(chunks, { objectMode: false }), { headers: fields }) as unknown as BodyRequest;
}

test('collecting gives the error or the bytes that raw-body gives', async () => {
  const random = seeded(11);
  for (let round = 0; round < 200; round += 1) {
    const chunks = Array.from({ length: random.below(random.pick([5, 5, 200])) }, () =>
      Buffer.alloc(random.below(6) + 1, 97 + random.below(9)),
    );
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const expected = random.pick([null, size, size, size + 1]);
    const limit = random.pick([1000, size, size + 1, Math.max(1, size - 1)]);
    const ours = pretend(chunks, expected ?? undefined);
    if (!isCollectable(ours, expected, limit)) {
      // Only an announced length above the limit is not collected: raw-body refuses it.
      assert.ok(expected !== null && expected > limit);
      continue;
    }
    const outcome = await new Promise((resolve) =>
      collect(ours, expected, limit, { done: (error, bytes) => resolve(error ? described(error) : bytes) }),
    );
    const theirs = await new Promise((resolve) =>
      rawBody(
        pretend(chunks, undefined),
        { length: expected, limit, encoding: null } as unknown as rawBody.Options,
        (error, bytes) => resolve(error ? described(error) : bytes),
      ),
    );
    assert.deepEqual(outcome, theirs);
  }
});

test('decoding gives the text that raw-body gives, at every split of the bytes', async () => {
  const random = seeded(12);
  // Bytes that are difficult for a decoder: lead bytes, continuations, an overlong form, a byte order mark.
  const alphabet = [0x61, 0xc3, 0xa9, 0xe6, 0x97, 0xa5, 0xf0, 0x9f, 0x8e, 0x89, 0xc0, 0xed, 0xef, 0xbb, 0xbf, 0xff];
  for (let round = 0; round < 400; round += 1) {
    const bytes = Buffer.from(Array.from({ length: random.below(12) + 1 }, () => random.pick(alphabet)));
    const cut = random.below(bytes.length + 1);
    const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)].filter((chunk) => chunk.length > 0);
    const theirs = await rawBody(Readable.from(chunks, { objectMode: false }), { encoding: 'utf-8' });
    assert.equal(decode(bytes, 'utf-8'), theirs, bytes.toString('hex'));
  }
});

test('an error thrown after a parser does not harm its connection, and is reported as in Express', async () => {
  const program = compiled('test/parity/fixtures/throwing.js');
  const printed = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [program, ...args])).stdout;
  const expected = await printed(require.resolve('express'));
  assert.match(expected, /^\[\["\{\}","next"\],\["behind the parser"\]\]\n/);
  for (const engine of ['engine', 'node']) {
    assert.equal(await printed(path.join(subject, 'index.js'), engine), expected, engine);
  }
});

test('a parser takes a body from the connection: the request becomes a stream only if it has a listener', async () => {
  const app = nonstop() as unknown as express.Express;
  app.use((req, _res, next) => {
    if (req.headers['x-listen']) req.on('close', () => undefined);
    next();
  });
  app.use(nonstop.json(), nonstop.text(), nonstop.raw({ type: 'a/b' }), nonstop.urlencoded());
  app.use((req, res) => void res.json({ body: req.body, stream: Object.hasOwn(req, '_readableState') }));
  const ask = async (client: RawClient, type: string, body: string, more = ''): Promise<unknown> => {
    await client.send(
      `POST / HTTP/1.1\r\nHost: test\r\n${more}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return JSON.parse((await client.answer()).body.toString());
  };
  await talking(app.listen(0, '127.0.0.1'), async (client) => {
    assert.deepEqual(await ask(client, 'application/json', '{"a":1}'), { body: { a: 1 }, stream: false });
    assert.deepEqual(await ask(client, 'text/plain', 'text'), { body: 'text', stream: false });
    assert.deepEqual(await ask(client, 'a/b', 'x'), { body: { type: 'Buffer', data: [120] }, stream: false });
    assert.deepEqual(await ask(client, 'application/x-www-form-urlencoded', 'a=1'), {
      body: { a: '1' },
      stream: false,
    });
    assert.deepEqual(await ask(client, 'text/plain', 'text', 'X-Listen: 1\r\n'), { body: 'text', stream: true });
  });
});
