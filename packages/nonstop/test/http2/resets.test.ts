import assert = require('node:assert/strict');
import fs = require('node:fs');
import http2 = require('node:http2');
import path = require('node:path');
import { test } from 'node:test';
import type express = require('express');
import { until } from '../support/bounded.js';
import { folder } from '../support/folder.js';
import { ours } from '../support/framework.js';
import { answerOf } from '../support/http2-client.js';
import { serveApp, type Served } from '../support/http2-server.js';
import { block, END_HEADERS, END_STREAM, Frame, frame, get, RawHttp2 } from '../support/raw-http2.js';

/*
 * Streams that their client resets while an application is at work on them. messages.test.ts has the states of a bare response,
 * whole-answers.test.ts a whole answer that waits for its window.
 */

const RESET = Buffer.from([0, 0, 0, http2.constants.NGHTTP2_CANCEL]);

interface Failure {
  readonly code?: string;
  readonly type?: string;
  readonly status?: number;
}

/** The session, and other sessions, are served as before. */
async function goesOn(client: RawHttp2, { close }: Served): Promise<void> {
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 9, get('/alive')));
  const { payload } = (await client.until(Frame.Data, 9))!;
  assert.equal(payload.toString(), 'alive');
  client.drop();
  await close();
}

const alive = (app: express.Express): unknown => app.get('/alive', (_req, res) => void res.end('alive'));

test('a body that is reset while a parser collects it is an error of the parser', async () => {
  let told!: (error: Failure) => void;
  const failed = new Promise<Failure>((resolve) => (told = resolve));
  let arrived!: () => void;
  const began = new Promise<void>((resolve) => (arrived = resolve));
  const all = await serveApp((app) => {
    alive(app);
    app.use((_req, _res, next) => {
      arrived();
      next();
    });
    app.post('/', ours.json(), (_req, res) => void res.end('never'));
    app.use(((error: Failure, _req, _res, _next) => told(error)) as express.ErrorRequestHandler);
  });
  const client = await RawHttp2.open(all.server);
  const fields = { 'content-type': 'application/json', 'content-length': '100' };
  const post = block({ ':method': 'POST', ':scheme': 'http', ':path': '/', ':authority': 'raw', ...fields });
  client.send(frame(Frame.Headers, END_HEADERS, 1, post), frame(Frame.Data, 0, 1, Buffer.from('{"a":')));
  await began;
  client.send(frame(Frame.RstStream, 0, 1, RESET));
  const { type, code, status } = await failed;
  assert.deepEqual({ type, code, status }, { type: 'request.aborted', code: 'ECONNABORTED', status: 400 });
  await goesOn(client, all);
});

test('a session that dies under 100 bodies fails each of their parsers, and none of another session', async () => {
  const types: (string | undefined)[] = [];
  let arrived = 0;
  let began!: () => void;
  const all101 = new Promise<void>((resolve) => (began = resolve));
  let told!: () => void;
  const failed = new Promise<void>((resolve) => (told = resolve));
  const all = await serveApp((app) => {
    alive(app);
    app.use((_req, _res, next) => {
      if (++arrived === 101) began();
      next();
    });
    app.post('/', ours.json(), (req, res) => void res.json(req.body));
    app.use(((error: Failure, _req, _res, _next) => {
      if (types.push(error.type) === 100) told();
    }) as express.ErrorRequestHandler);
  });
  const client = await RawHttp2.open(all.server);
  const fields = { ':method': 'POST', ':path': '/', 'content-type': 'application/json' };
  const mine = all.session.request(fields);
  mine.write('{"a":');
  const post = block({ ':scheme': 'http', ':authority': 'raw', ...fields, 'content-length': '100' });
  for (let stream = 1; stream < 200; stream += 2) {
    client.send(frame(Frame.Headers, END_HEADERS, stream, post), frame(Frame.Data, 0, stream, Buffer.from('{"a":')));
  }
  await all101;
  client.drop();
  await failed;
  mine.end('1}');
  assert.equal((await answerOf(mine)).body.toString(), '{"a":1}');
  assert.deepEqual(new Set(types), new Set(['request.aborted']));
  assert.equal(types.length, 100);
  await all.close();
});

test('a file is no longer sent when its stream is reset, and its callback gets the error', async () => {
  const file = path.join(folder({ 'large.bin': 'x'.repeat(1_000_000) }), 'large.bin');
  let told!: (error?: Error) => void;
  const failed = new Promise<Error | undefined>((resolve) => (told = resolve));
  const all = await serveApp((app) => {
    alive(app);
    app.get('/', (_req, res) => res.sendFile(fs.realpathSync(file), told));
  });
  const client = await RawHttp2.open(all.server);
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get()));
  // The window lets 65,535 octets through, of the stream and of the session alike: then the file waits.
  await client.until(Frame.Data, 1);
  client.send(frame(Frame.RstStream, 0, 1, RESET));
  assert.equal(((await failed) as Failure | undefined)?.code, 'ECONNABORTED');
  client.send(frame(Frame.WindowUpdate, 0, 0, Buffer.from([0, 1, 0, 0])));
  await goesOn(client, all);
});

test('the callback of a write behind a reset gets an error', async () => {
  let told!: (error: unknown) => void;
  const failed = new Promise<unknown>((resolve) => (told = resolve));
  const all = await serveApp((app) => {
    alive(app);
    app.get('/', (req, res) => {
      res.write('x');
      (req as unknown as { stream: http2.ServerHttp2Stream }).stream.once('aborted', () => res.write('y', told));
    });
  });
  const client = await RawHttp2.open(all.server);
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get()));
  await client.until(Frame.Data, 1);
  client.send(frame(Frame.RstStream, 0, 1, RESET));
  assert.equal(((await failed) as Failure | undefined)?.code, 'ERR_STREAM_DESTROYED');
  await goesOn(client, all);
});

test('a client that leaves while a file is sent is no error for the error handlers, whatever its reason', async () => {
  const big = path.join(folder({}), 'big');
  fs.writeFileSync(big, Buffer.alloc(1_000_000));
  const heard: unknown[] = [];
  const codes: unknown[] = [];
  const all = await serveApp((app) => {
    alive(app);
    app.get('/file', (_req, res) => res.sendFile(fs.realpathSync(big)));
    app.get('/heard', (_req, res) =>
      res.sendFile(fs.realpathSync(big), (error) => codes.push((error as Failure).code)),
    );
    app.use(
      ((error: Failure, _req, _res, next) => (heard.push(error.code), next(error))) as express.ErrorRequestHandler,
    );
  });
  const client = await RawHttp2.open(all.server);
  const { NGHTTP2_PROTOCOL_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_ENHANCE_YOUR_CALM } = http2.constants;
  let stream = 9;
  for (const code of [NGHTTP2_PROTOCOL_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_ENHANCE_YOUR_CALM])
    for (const target of ['/file', '/heard']) {
      stream += 2;
      client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, stream, get(target)));
      // The first one has used up the session's window: then files wait.
      await client.until(Frame.Headers, stream);
      client.send(frame(Frame.RstStream, 0, stream, Buffer.from([0, 0, 0, code])));
    }
  await until(
    () => codes.length === 3,
    () => `the callbacks; they got ${codes.join()}`,
  );
  assert.deepEqual([codes, heard], [['ECONNABORTED', 'ECONNABORTED', 'ECONNABORTED'], []]);
  client.drop();
  await all.close();
});

for (const what of ['request', 'response', 'socket'] as const) {
  test(`an answer in parts whose ${what} is destroyed right after its end is whole`, async () => {
    const all = await serveApp((app) => {
      app.get('/', (req, res) => {
        res.setHeader('Trailer', 'X-Sum');
        res.write('a');
        res.addTrailers({ 'X-Sum': '2' });
        res.end('b');
        ({ request: req, response: res, socket: req.socket })[what].destroy();
      });
    });
    const client = await RawHttp2.open(all.server);
    client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get()));
    await client.until(Frame.Data, 1);
    const last = (): number =>
      client.frames.findIndex(
        ({ stream, flags, type }) => stream === 1 && (flags & END_STREAM) !== 0 && type < Frame.RstStream,
      );
    await until(
      () => last() !== -1 || client.frames.some(({ type }) => type === Frame.RstStream),
      () => 'its end',
    );
    assert.notEqual(last(), -1, 'its last frame ends the stream');
    assert.equal(client.frames[last()].type, Frame.Headers, 'with its trailers');
    client.drop();
    await all.close();
  });
}

test('a stream that is reset while its handler waits leaves a later answer without effect', async () => {
  let answer!: () => void;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  let ended!: () => void;
  const late = new Promise<void>((resolve) => (ended = resolve));
  let arrived!: (res: express.Response) => void;
  const began = new Promise<express.Response>((resolve) => (arrived = resolve));
  const all = await serveApp((app) => {
    alive(app);
    app.get('/', async (_req, res) => {
      arrived(res);
      await asked;
      res.json({ late: true });
      ended();
    });
  });
  const client = await RawHttp2.open(all.server);
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get()));
  const closed = new Promise((resolve) => void began.then((res) => res.once('close', resolve)));
  await began;
  client.send(frame(Frame.RstStream, 0, 1, RESET));
  await closed;
  answer();
  await late;
  await goesOn(client, all);
  assert.ok(!client.frames.some(({ stream }) => stream === 1));
});
