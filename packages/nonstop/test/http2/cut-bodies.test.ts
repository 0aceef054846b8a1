import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import type express = require('express');
import { ours } from '../support/framework.js';
import { served } from '../support/http2-server.js';
import { block, END_HEADERS, Frame, frame, RawHttp2 } from '../support/raw-http2.js';
import { nonstopHttp2 } from '../support/subject.js';

/*
 * Bodies that end before their last octets: their readers must not take them for whole, neither in a request of this package nor in the first
 * one of a server, which node makes.
 */

type Streamed = express.Request & { stream: http2.ServerHttp2Stream };
type Cut = (client: RawHttp2, req: Streamed, res: express.Response) => void;

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = http2.constants;

const resetBy = (client: RawHttp2, code: number): void =>
  client.send(frame(Frame.RstStream, 0, 1, Buffer.from([0, 0, 0, code])));

const CUTS: Readonly<Record<string, Cut>> = {
  'the client resets it': (client) => resetBy(client, NGHTTP2_CANCEL),
  'the client resets it without an error': (client) => resetBy(client, NGHTTP2_NO_ERROR),
  'the client leaves': (client) => client.drop(),
  'the client resets it after its answer': (client, _req, res) => {
    res.on('finish', () => resetBy(client, NGHTTP2_CANCEL));
    res.end('early');
  },
  'the client resets it without an error after its answer': (client, _req, res) => {
    res.on('finish', () => resetBy(client, NGHTTP2_NO_ERROR));
    res.end('early');
  },
  'the server answers 408 and closes its stream': (_client, { stream }) => {
    stream.respond({ ':status': 408 }, { endStream: true });
    stream.close(NGHTTP2_NO_ERROR);
  },
  'the server closes its stream': (_client, { stream }) => stream.close(NGHTTP2_CANCEL),
};

/** What a reader was told in the end: `'whole'`, or how it failed. */
type Reader = (req: Streamed, res: express.Response, told: (how: unknown) => void) => void;

const READERS: Readonly<Record<string, readonly [reader: Reader, how: string]>> = {
  'a listener': [
    (req, _res, told) => {
      for (const event of ['end', 'aborted']) req.on(event, () => told(event === 'end' ? 'whole' : event));
      req.on('error', () => undefined).resume();
    },
    'aborted',
  ],
  'finished()': [
    (req, _res, told) => {
      req.resume();
      finished(req).then(
        () => told('whole'),
        ({ code }: NodeJS.ErrnoException) => told(code),
      );
    },
    'ECONNRESET',
  ],
  'express.text()': [
    (req, res, told) => {
      ours.text({ type: () => true })(req, res, (error?: { type?: string }) => told(error?.type ?? 'whole'));
    },
    'request.aborted',
  ],
};

const SERVERS: Readonly<Record<string, (app: express.Express) => http2.Http2Server>> = {
  'node:http2': (app) => http2.createServer(app as never),
  'nonstop/http2': (app) => nonstopHttp2().createServer(app as never),
};

const POST = block({
  ':method': 'POST',
  ':scheme': 'http',
  ':path': '/',
  ':authority': 'raw',
  'content-length': '100',
});

for (const [door, make] of Object.entries(SERVERS)) {
  for (const [cut, play] of Object.entries(CUTS)) {
    for (const [name, [read, how]] of Object.entries(READERS)) {
      test(`${door}: ${name} hears that a body is cut off when ${cut}`, { timeout: 5000 }, async () => {
        const told: unknown[] = [];
        const app = ours();
        let req!: Streamed;
        let closed: Promise<unknown> | undefined;
        app.use((asked, res) => {
          req = asked as Streamed;
          closed = new Promise((resolve) => req.once('close', resolve));
          read(req, res, (what) => told.push(what));
          setImmediate(() => play(client, req, res));
        });
        const { server, close } = await served(make(app));
        const client = await RawHttp2.open(server);
        const arrived = once(server, 'request');
        client.send(frame(Frame.Headers, END_HEADERS, 1, POST), frame(Frame.Data, 0, 1, Buffer.from('part')));
        await arrived;
        await closed;
        await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(told, [how]);
        assert.equal(req.complete, false);
        client.drop();
        await close();
      });
    }
  }
}

const LATE: Readonly<Record<string, (req: express.Request) => Promise<unknown>>> = {
  'an iteration': async (req) => await req.toArray(),
  'finished()': async (req) => await finished(req.resume()),
  'express.text()': async (req) =>
    await new Promise((resolve) => ours.text({ type: () => true })(req, {} as express.Response, resolve)),
};

for (const [name, read] of Object.entries(LATE)) {
  test(`${name} of a body that was dropped after its answer ends, as over HTTP/1`, { timeout: 5000 }, async () => {
    let told!: (req: express.Request) => void;
    const asked = new Promise<express.Request>((resolve) => (told = resolve));
    const app = ours();
    app.use((req, res) => void res.on('close', () => told(req)).end('whole'));
    const { session, close } = await served(nonstopHttp2().createServer(app as never));
    const stream = session.request({ ':method': 'POST' }, { endStream: false }).resume();
    stream.write('part');
    await once(stream, 'close');
    await read(await asked);
    await close();
  });
}
