import assert = require('node:assert/strict');
import { AsyncLocalStorage } from 'node:async_hooks';
import crypto = require('node:crypto');
import { once } from 'node:events';
import fs = require('node:fs');
import http = require('node:http');
import http2 = require('node:http2');
import type net = require('node:net');
import path = require('node:path');
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sendInParts, type Range } from '../../src/files/file-in-parts.js';
import { PIPES_CATCH } from '../../src/node/differences.js';
import { bounded } from '../support/bounded.js';
import { folder } from '../support/folder.js';
import { ours } from '../support/framework.js';
import { ask } from '../support/http2-client.js';
import { serveApp } from '../support/http2-server.js';
import { RawClient } from '../support/raw-http.js';

const SIZE = 1_000_003;
const PART = 131_072;
const content = crypto.randomBytes(SIZE);
/** More than the kernel takes for a client that does not read. */
const HUGE = 12_000_000;
const hugeContent = crypto.randomBytes(HUGE);
const root = folder({ 'large.bin': content, 'huge.bin': hugeContent });
const file = path.join(root, 'large.bin');
const huge = path.join(root, 'huge.bin');

/** `ended`, `broken`, or the code of an error. */
type Outcome = string;

interface Sending {
  readonly path?: string;
  readonly range: Range;
  /** Called before the file is sent. */
  readonly prepare?: (res: http.ServerResponse) => void;
}

/** A server that sends a part of a file with node's own responses, and what it was told of it. */
async function serving(
  t: TestContext,
  sendings: readonly Sending[],
): Promise<{ server: http.Server; outcomes: Outcome[] }> {
  const outcomes: Outcome[] = [];
  let count = 0;
  const server = http.createServer((_req, res) => {
    const { path = file, range, prepare } = sendings[count++ % sendings.length];
    prepare?.(res);
    sendInParts(res, path, range, {
      failed(error) {
        outcomes.push(error.code!);
        if (!res.headersSent) res.end();
      },
      broken: () => outcomes.push('broken'),
      ended: () => outcomes.push('ended'),
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, outcomes };
}

async function get(server: net.Server, path = '/'): Promise<Buffer> {
  const { port } = server.address() as net.AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return Buffer.from(await answer.arrayBuffer());
}

async function until(met: () => boolean): Promise<void> {
  for (const patience = Date.now() + 15_000; !met(); await pause(5))
    assert.ok(Date.now() < patience, 'it did not happen');
}

/** Counts the files that are closed. */
function closes(t: TestContext): () => number {
  const mocked = t.mock.method(fs, 'close');
  return () => mocked.mock.callCount();
}

const ranges: Record<string, Range> = {
  'one octet less than a part': { start: 0, end: PART - 2 },
  'exactly a part': { start: 0, end: PART - 1 },
  'one octet more than a part': { start: 0, end: PART },
  'a range in the middle': { start: 70_001, end: 700_000 },
  'two parts from the middle': { start: 7, end: 2 * PART + 6 },
  'all of it': { start: 0, end: SIZE - 1 },
  'what there is, where it has become shorter': { start: SIZE - 100_000, end: SIZE + 100_000 },
  'nothing, where nothing is left': { start: SIZE, end: SIZE + 100_000 },
};
for (const [name, range] of Object.entries(ranges)) {
  test(`sends of a file ${name}`, async (t) => {
    const closed = closes(t);
    const { server, outcomes } = await serving(t, [{ range }]);
    const received = await get(server);
    assert.ok(received.equals(content.subarray(range.start, range.end + 1)));
    assert.deepEqual(outcomes, ['ended']);
    await until(() => closed() === 1);
  });
}

test('answers that are sent at a time, some to slow clients, each get their own octets', async (t) => {
  const count = 12;
  const length = 10_000_000;
  const starts = Array.from({ length: count }, (_, i) => i * 99_700);
  const { server } = await serving(
    t,
    starts.map((start) => ({ path: huge, range: { start, end: start + length - 1 } })),
  );
  const seen = await Promise.all(
    starts.map(async (_, i) => {
      const client = http.get({ port: (server.address() as net.AddressInfo).port, host: '127.0.0.1', agent: false });
      const [answer] = (await once(client, 'response')) as [http.IncomingMessage];
      if (i % 3 === 0) await pause(200);
      const parts: Buffer[] = [];
      for await (const part of answer) {
        parts.push(part as Buffer);
        if (i % 3 === 1 && parts.length < 20) await pause(10);
      }
      return Buffer.concat(parts);
    }),
  );
  const found = new Set(
    seen.map((received) => {
      const start = starts.find((start) => received.equals(hugeContent.subarray(start, start + length)));
      assert.notEqual(start, undefined, 'octets of another answer');
      return start;
    }),
  );
  assert.equal(found.size, count);
});

for (const [name, path, code, isOpened] of [
  ['that is missing', 'none.bin', 'ENOENT', false],
  ['that cannot be read', '.', 'EISDIR', true],
] as const) {
  test(`tells of a file ${name}, and keeps nothing open`, async (t) => {
    const closed = closes(t);
    const range = { start: 0, end: 100_000 };
    const { server, outcomes } = await serving(t, [{ path: `${root}/${path}`, range }]);
    assert.equal((await get(server)).length, 0);
    assert.deepEqual(outcomes, [code]);
    assert.equal(closed(), isOpened ? 1 : 0);
  });
}

test('tells of an error of closing after the end', async (t) => {
  const { close } = fs;
  t.mock.method(fs, 'close', (fd: number, done: (error: Error) => void) =>
    close(fd, () => done(Object.assign(new Error('of the test'), { code: 'EIO' }))),
  );
  const { server, outcomes } = await serving(t, [{ range: { start: 0, end: 100_000 } }]);
  assert.ok((await get(server)).equals(content.subarray(0, 100_001)));
  await until(() => outcomes.length === 2);
  assert.deepEqual(outcomes, ['ended', 'EIO']);
});

test('a client that leaves leaves no file open, and no more is read', async (t) => {
  const closed = closes(t);
  const read = t.mock.method(fs, 'read');
  const { server, outcomes } = await serving(t, [{ path: huge, range: { start: 0, end: HUGE - 1 } }]);
  const client = await RawClient.open(server, { paused: true });
  await client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(() => read.mock.callCount() > 0);
  await pause(50);
  const before = read.mock.callCount();
  assert.ok(before < 100, 'it did not wait for the client');
  assert.equal(closed(), 0);
  client.drop();
  await until(() => closed() === 1);
  assert.ok(read.mock.callCount() <= before + 1);
  assert.deepEqual(outcomes, []);
});

for (const [name, prepare] of [
  ['ended', (res: http.ServerResponse) => res.end('else')],
  ['destroyed', (res: http.ServerResponse) => res.destroy()],
] as const) {
  test(`a response that was ${name} before the file was open gets nothing of it`, async (t) => {
    const closed = closes(t);
    const { server, outcomes } = await serving(t, [
      { range: { start: 0, end: 500_000 }, prepare: (res) => setImmediate(prepare, res) },
      { range: { start: 0, end: 500_000 }, prepare },
    ]);
    for (let i = 0; i < 2; i++) {
      const received = await get(server).catch(() => undefined);
      assert.ok(received === undefined || received.toString() === 'else' || name === 'ended');
    }
    await until(() => closed() === 2);
    assert.ok(!outcomes.includes('ended'));
  });
}

const wrappers: Record<string, (write: http.ServerResponse['write'], kept: Buffer[]) => unknown> = {
  'drops the callback': (write, kept) =>
    function (this: http.ServerResponse, chunk: Buffer) {
      kept.push(chunk);
      return write.call(this, chunk, 'latin1');
    },
  'passes it on': (write, kept) =>
    function (this: http.ServerResponse, ...args: [Buffer, BufferEncoding]) {
      kept.push(args[0]);
      return write.apply(this, args);
    },
};
const moments: Record<string, (res: http.ServerResponse, wrap: () => void) => void> = {
  'in a drain event': (res, wrap) => res.once('drain', wrap),
  'with the head': (res, wrap) => {
    const { writeHead } = res;
    res.writeHead = function (this: http.ServerResponse, ...args: [number]) {
      wrap();
      return writeHead.apply(this, args);
    };
  },
};
for (const [how, wrapper] of Object.entries(wrappers)) {
  for (const [when, at] of Object.entries(moments)) {
    test(`a write() that a program puts in its way ${when}, and that ${how}, gets the rest, in memory that no other file uses`, async (t) => {
      const closed = closes(t);
      const kept: Buffer[] = [];
      const { server, outcomes } = await serving(t, [
        {
          range: { start: 0, end: SIZE - 1 },
          prepare: (res) => at(res, () => void (res.write = wrapper(res.write, kept) as never)),
        },
        { range: { start: 500, end: 900_500 } },
      ]);
      assert.ok((await bounded(get(server), () => 'the file')).equals(content));
      await get(server);
      const last = Buffer.concat(kept);
      assert.ok(last.length > PART);
      assert.ok(last.equals(content.subarray(SIZE - last.length)));
      await until(() => closed() === 2);
      assert.deepEqual(outcomes, ['ended', 'ended']);
    });
  }
}

test(
  'an error of the head destroys the response, as one of a pipe does',
  { skip: !PIPES_CATCH && 'pipes of this Node do not catch it' },
  async (t) => {
    const closed = closes(t);
    const { server, outcomes } = await serving(t, [
      { range: { start: 0, end: 500_000 }, prepare: (res) => void (res.statusCode = 1) },
    ]);
    await assert.rejects(get(server));
    await until(() => closed() === 1);
    assert.deepEqual(outcomes, ['broken']);
  },
);

test('an application sends large files to many at once, each in its own async context', async (t) => {
  const store = new AsyncLocalStorage<string>();
  const told: [string, string | undefined, unknown][] = [];
  const app = ours();
  app.use((req, _res, next) => store.run(req.url, next));
  app.get('/sent/:id', (req, res) => {
    res.sendFile(file, (error) => told.push([req.url, store.getStore(), error]));
  });
  app.use(ours.static(root));
  const server = app.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const paths = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? `/sent/${i}` : `/large.bin?${i}`));
  for (const received of await Promise.all(paths.map((path) => get(server, path)))) assert.ok(received.equals(content));
  assert.equal(told.length, 15);
  for (const [asked, kept, error] of told) assert.deepEqual([kept, error], [asked, undefined]);
});

test('over HTTP/2 an application sends large files to many at once', async () => {
  const { session } = await serveApp((app) => app.use(ours.static(root)));
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      ask(session, { headers: { ':path': '/large.bin', range: `bytes=${i * 100}-${900_000 + i}` } }),
    ),
  );
  for (const [i, { status, body }] of answers.entries()) {
    assert.equal(status, 206);
    assert.ok(body.equals(content.subarray(i * 100, 900_001 + i)));
  }
});

/** How many descriptors of this process are of a file. */
const opened = (file: string): number =>
  fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  }).length;

const skip = process.platform !== 'linux' && 'needs /proc';
for (const target of ['/huge.bin', '/sent'])
  test(
    `a client that leaves leaves no file open, of ${target} and of answers that wait behind it`,
    { skip },
    async (t) => {
      const app = ours();
      app.get('/sent', (_req, res) => res.sendFile(huge));
      app.use(ours.static(root));
      const server = app.listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      for (const count of [1, 4]) {
        const client = await RawClient.open(server, { paused: true });
        await client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count));
        await until(() => opened(huge) === count);
        client.drop();
        await until(() => opened(huge) === 0);
      }
      assert.equal((await bounded(get(server, '/large.bin'), () => 'the next answer')).length, SIZE);
    },
  );

/** How the answer ends before its file. */
const CUTS: Record<
  string,
  (session: http2.ClientHttp2Session, stream: http2.ClientHttp2Stream, res: http2.Http2ServerResponse) => void
> = {
  'a program that closes the stream': (_session, _stream, res) => res.stream.close(),
  'a program that destroys the response': (_session, _stream, res) => void res.destroy(),
  'a program that ends the response': (_session, stream, res) => {
    res.end();
    // It finishes when the client has read.
    stream.resume();
  },
  'a client that resets the stream': (_session, stream) => stream.close(http2.constants.NGHTTP2_CANCEL),
  'a client that leaves': (session) => session.destroy(),
};

for (const [name, cut] of Object.entries(CUTS))
  for (const target of ['/huge.bin', '/sent'])
    test(`over HTTP/2 ${name} leaves no file open, of ${target}`, { skip }, async (t) => {
      const answers: http2.Http2ServerResponse[] = [];
      const { session, close } = await serveApp((app) => {
        app.use((_req, res, next) => {
          answers.push(res as never);
          next();
        });
        app.get('/sent', (_req, res) => res.sendFile(huge));
        app.use(ours.static(root));
      });
      t.after(close);
      // Reads nothing, so that the answer waits for the window of its stream.
      const stream = session.request({ ':path': target });
      stream.on('error', () => undefined);
      await once(stream, 'response');
      await until(() => opened(huge) === 1);
      await pause(20);
      cut(session, stream, answers[0]);
      await until(() => opened(huge) === 0);
      // node keeps the session of a stream that was closed during a write, also behind a client that has left.
      answers[0].stream.destroy();
    });
