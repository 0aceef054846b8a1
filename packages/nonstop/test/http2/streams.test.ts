import assert = require('node:assert/strict');
import { once } from 'node:events';
import fs = require('node:fs');
import http2 = require('node:http2');
import type http = require('node:http');
import { test } from 'node:test';
import { answerOf, ask } from '../support/http2-client.js';
import { serve, served, serveFirst } from '../support/http2-server.js';

/* Handlers that use the stream of a message beside its response. The oracle is node:http2. */

type Streamed = http.ServerResponse & { stream: http2.ServerHttp2Stream };
type Handler = (req: http.IncomingMessage & { stream: http2.ServerHttp2Stream }, res: Streamed) => unknown;

const HANDLERS: Readonly<Record<string, Handler>> = {
  'a head, then octets of the stream': (_req, res) => {
    res.writeHead(201, { 'x-a': '1' });
    res.stream.end('stream');
  },
  'a head, then octets of the stream of the request': (req, res) => {
    res.writeHead(201, { 'x-a': '1' });
    req.stream.end('stream');
  },
  'the stream, then a head, then its octets': (_req, res) => {
    const { stream } = res;
    res.writeHead(201, { 'x-a': '1' });
    stream.write('stream');
    res.end('response');
  },
  'the stream of the request, then a head, then its octets': ({ stream }, res) => {
    res.writeHead(201, { 'x-a': '1' });
    stream.end('stream');
  },
  'a head, then the stream, then trailers': (_req, res) => {
    res.writeHead(201, { 'x-a': '1' });
    res.stream.setTimeout(0);
    res.write('response');
    res.addTrailers({ 'x-sum': '1' });
    res.end();
  },
  'a head, then another one of the stream': (_req, res) => {
    res.writeHead(201, { 'x-a': '1' });
    try {
      res.stream.respond({ ':status': 203 });
    } catch (error) {
      res.end((error as NodeJS.ErrnoException).code);
    }
  },
  'an answer of the stream': (_req, res) => {
    res.stream.respond({ ':status': 203, 'x-b': '2' });
    res.stream.end('stream');
  },
  'an answer of the stream without a body': (_req, res) => {
    res.stream.respond({ ':status': 204 }, { endStream: true });
  },
  'a file': (_req, res) => res.stream.respondWithFile(__filename, { 'x-c': '3' }),
  'a file descriptor': (req, res) => {
    req.resume();
    const fd = fs.openSync(__filename, 'r');
    res.stream.respondWithFD(fd, { 'x-c': '3' }, {});
    res.stream.on('close', () => fs.closeSync(fd));
  },
  'a file that is piped': (_req, res) => {
    res.stream.respond();
    fs.createReadStream(__filename).pipe(res.stream);
  },
};

const doors: readonly (readonly [name: string, serve: typeof serve])[] = [
  ['a request', serve],
  ["a first request of node's", serveFirst],
];
const nodes: typeof serve = async (listener) => await served(http2.createServer(listener as never));

async function play(door: typeof serve, handler: Handler, method: string): Promise<unknown> {
  const events: string[] = [];
  let closed: Promise<unknown> | undefined;
  const { session, close } = await door((req, res) => {
    res.removeHeader('X-Powered-By');
    for (const name of ['aborted', 'error']) req.on(name, () => events.push(name));
    for (const name of ['finish', 'close']) res.on(name, () => events.push(name));
    closed = once(res, 'close');
    return handler(req as never, res as never);
  });
  const { status, fields, body, whole, trailers } = await ask(session, {
    headers: { ':method': method },
    ...(method === 'POST' && { body: 'body' }),
  });
  await closed;
  await close();
  const named = fields.filter(([name]) => name !== 'date');
  return { status, named, body: body.toString(), whole, trailers, events };
}

for (const [name, door] of doors) {
  for (const [what, handler] of Object.entries(HANDLERS)) {
    test(`${name} is answered as under node:http2 by ${what}`, async () => {
      for (const method of ['GET', 'POST']) {
        assert.deepEqual(await play(door, handler, method), await play(nodes, handler, method));
      }
    });
  }
}

test('a response that is pushed is answered as under node:http2', async () => {
  const told: unknown[] = [];
  for (const door of [serve, nodes]) {
    const { session, close } = await door((_req, res) => {
      const main = res as unknown as http2.Http2ServerResponse;
      main.createPushResponse({ ':path': '/pushed' }, (error, pushed) => {
        pushed.setHeader('x-error', String(error));
        pushed.end('pushed');
        res.end('main');
      });
    });
    const push = once(session, 'stream') as Promise<[http2.ClientHttp2Stream, http2.IncomingHttpHeaders]>;
    const main = await ask(session, { headers: {} });
    const [stream, { ':path': path }] = await push;
    const { status, fields, body } = await answerOf(stream);
    told.push([main.body.toString(), path, status, fields.filter(([name]) => name !== 'date'), body.toString()]);
    await close();
  }
  assert.deepEqual(told[0], told[1]);
});

test('listeners that are added to a stream after a short answer hear only the close; earlier ones hear all events', async () => {
  const heard: string[][] = [];
  const { session, close } = await serve((req, res) => {
    const events: string[] = [];
    heard.push(events);
    const listen = ({ stream }: Streamed): void => {
      for (const name of ['prefinish', 'finish', 'close']) stream.on(name, () => events.push(name));
    };
    if (req.url === '/before') listen(res as Streamed);
    res.end('whole');
    if (req.url !== '/before') listen(res as Streamed);
  });
  for (const path of ['/before', '/behind']) await ask(session, { headers: { ':path': path } });
  await close();
  assert.deepEqual(heard, [['prefinish', 'finish', 'close'], ['close']]);
});

test('a stream that is closed in the middle of its own answer aborts the request', async () => {
  const events: string[] = [];
  const { session, close } = await serve((req, res) => {
    req.on('aborted', () => events.push('aborted'));
    res.on('finish', () => events.push('finish'));
    const { stream } = res as Streamed;
    stream.respond();
    stream.write('part', () => stream.close());
  });
  await ask(session, { headers: {} });
  await close();
  assert.deepEqual(events, ['aborted']);
});

test('a client that refuses what is pushed, or whose socket is reset by a handler, ends nothing else', async () => {
  const all = await serve((req, res) => {
    if (req.url === '/reset') req.socket.resetAndDestroy();
    else if (req.url !== '/push') res.end('alive');
    else
      (res as never as http2.Http2ServerResponse).createPushResponse({ ':path': '/pushed' }, (error, pushed) => {
        pushed?.write('begun');
        res.end(String(error));
      });
  });
  const refused = new Promise((resolve) => {
    all.session.on('stream', (pushed) => {
      pushed.on('error', () => undefined).on('close', resolve);
      pushed.close(http2.constants.NGHTTP2_PROTOCOL_ERROR);
    });
  });
  assert.equal((await ask(all.session, { headers: { ':path': '/push' } })).body.toString(), 'null');
  await refused;
  assert.equal((await ask(all.session, { headers: { ':path': '/reset' } })).status, 0);
  assert.equal((await ask(all.session, { headers: { ':path': '/' } })).body.toString(), 'alive');
  await all.close();
});
