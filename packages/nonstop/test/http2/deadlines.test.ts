import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import type http = require('node:http');
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bounded } from '../support/bounded.js';
import { certificate } from '../support/certificate.js';
import { ours } from '../support/framework.js';
import { ask, openSession } from '../support/http2-client.js';
import { serve, served } from '../support/http2-server.js';
import { block, END_HEADERS, END_STREAM, Frame, frame, get, RawHttp2 } from '../support/raw-http2.js';
import { runProgram } from '../support/run-program.js';
import { nonstopHttp2, subject } from '../support/subject.js';

/** Deadlines of HTTP/1 among the options, in ms. */
interface Deadlines {
  headersTimeout?: number;
  requestTimeout?: number;
  keepAliveTimeout?: number;
}

const options = (deadlines: Deadlines): http2.ServerOptions =>
  ({ connectionsCheckingInterval: 10, ...deadlines }) as http2.ServerOptions;

type Handler = Parameters<typeof serve>[0];

const alive: Handler = (_req, res) => void res.end('alive');

const NO_ERROR = 0;
const CANCEL = 8;

async function isAlive(session: http2.ClientHttp2Session): Promise<boolean> {
  return (await ask(session, { headers: {} })).body.toString() === 'alive';
}

test('a connection that opens no session is closed after the current headersTimeout of the server', async () => {
  const all = await serve(alive, options({ headersTimeout: 60_000 }));
  assert.ok(await isAlive(all.session));
  const client = await RawHttp2.open(all.server, false);
  Object.assign(all.server, { headersTimeout: 30 });
  await client.untilClosed();
  assert.ok(await isAlive(all.session));
  await all.close();
});

test('a request that is incomplete after requestTimeout is answered with 408, and its stream is reset', async () => {
  const events: string[] = [];
  const all = await serve(
    (req, res) => {
      if (req.method === 'GET') {
        alive(req, res);
        return;
      }
      req.on('aborted', () => events.push('aborted')).on('error', ({ message }) => events.push(`error: ${message}`));
      res.on('finish', () => events.push('finish')).on('close', () => events.push(`close, ${res.statusCode}`));
    },
    options({ requestTimeout: 30 }),
  );
  const stream = all.session.request({ ':method': 'POST' }, { endStream: false });
  stream.write('a part');
  const [{ ':status': status }] = (await once(stream, 'response')) as [
    http2.IncomingHttpHeaders & { ':status': number },
  ];
  stream.resume();
  await once(stream, 'close');
  assert.deepEqual([status, stream.rstCode], [408, NO_ERROR]);
  assert.ok(await isAlive(all.session));
  assert.deepEqual(events, ['aborted', 'close, 408', 'error: aborted']);
  await all.close();
});

test('a request that was reset while its client reads nothing is not answered when it is late', async () => {
  let resets = 0;
  const all = await serve(
    (req, res) => {
      if (req.url === '/') alive(req, res);
      else if (req.url === '/large') res.end(Buffer.alloc(16_000_000));
      else {
        // Behind the large answer, which its client does not read, so that the session cannot send the reset.
        setTimeout(() => req.destroy(), 30);
        res.on('close', () => resets++);
      }
    },
    options({ requestTimeout: 100 }),
  );
  const client = await RawHttp2.open(all.server);
  client.socket.pause();
  const wide = Buffer.from('00047fffffff', 'hex');
  client.send(frame(Frame.Settings, 0, 0, wide), frame(Frame.WindowUpdate, 0, 0, Buffer.from('7fff0000', 'hex')));
  const late = block({ ':method': 'POST', ':scheme': 'http', ':path': '/late', ':authority': 'raw' });
  client.send(
    frame(Frame.Headers, END_HEADERS, 1, late),
    frame(Frame.Headers, END_HEADERS | END_STREAM, 3, get('/large')),
  );
  // Otherwise an uncaught error of the deadline's timer would end the process.
  await sleep(400);
  assert.ok(await isAlive(all.session));
  client.drop();
  await all.close();
  assert.equal(resets, 1);
});

test('a request that is incomplete after requestTimeout and has an answer under way is reset', async () => {
  const all = await serve((_req, res) => res.write('begun'), options({ requestTimeout: 30 }));
  const stream = all.session.request({ ':method': 'POST' }, { endStream: false });
  stream.resume().on('error', () => undefined);
  await once(stream, 'close');
  assert.equal(stream.rstCode, CANCEL);
  await all.close();
});

test('a listener may destroy the session of a request that has timed out', async () => {
  const all = await serve(
    (req, res) => {
      if (req.method === 'GET') {
        alive(req, res);
        return;
      }
      res.write('begun');
      const { stream } = res as unknown as http2.Http2ServerResponse;
      stream.on('aborted', () => stream.session?.destroy());
    },
    options({ requestTimeout: 30 }),
  );
  const other = await openSession(all.server);
  const stream = other.request({ ':method': 'POST' }, { endStream: false });
  stream.resume().on('error', () => undefined);
  await once(other, 'close');
  assert.ok(await isAlive(all.session));
  await all.close();
});

const THROWING = `
  const http2 = require(process.argv[1]);
  const said = [];
  const tell = (what) => { console.log(JSON.stringify([...said, what])); process.exit(); };
  process.on('uncaughtException', ({ message }) => said.push(message));
  setTimeout(() => tell('the other request is still open'), 5_000);
  const server = http2.createServer({ connectionsCheckingInterval: 10, requestTimeout: 30 }, (req, res) => {
    res.write('begun');
    if (req.url === '/throws') res.stream.on('aborted', () => { throw new Error('thrown'); });
    else res.on('close', () => tell('the other request has timed out'));
  });
  server.listen(0, '127.0.0.1', () => {
    for (const path of ['/throws', '/other']) {
      const session = http2.connect('http://127.0.0.1:' + server.address().port).on('error', () => {});
      const stream = session.request({ ':method': 'POST', ':path': path }, { endStream: false });
      stream.on('error', () => {}).resume();
    }
  });
`;

test('a listener that throws when a request times out does not keep others from timing out', async () => {
  const { stdout } = await runProgram({ text: THROWING, args: [`${subject}/http2.js`] });
  const said = JSON.parse(stdout) as string[];
  assert.equal(said[0], 'thrown');
  assert.equal(said.at(-1), 'the other request has timed out');
});

for (const [what, isEnded] of [
  ['that was ended', true],
  ['in parts', false],
] as const) {
  test(`an answer ${what} closes if its stream is reset with NO_ERROR while it waits for its window`, async () => {
    let closed: Promise<unknown> | undefined;
    const all = await serve((_req, res) => {
      closed = once(res, 'close');
      res.write(Buffer.alloc(200_000));
      if (isEnded) res.end();
    }, options({}));
    const client = await RawHttp2.open(all.server);
    client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get()));
    await client.until(Frame.Data, 1);
    client.send(frame(Frame.RstStream, 0, 1, Buffer.from([0, 0, 0, NO_ERROR])));
    try {
      await bounded(closed!, () => 'the end of the response');
    } finally {
      client.drop();
    }
    await all.close();
  });
}

test('a request whose rest waits for a reader is aborted if its stream is reset with NO_ERROR', async () => {
  const heard: string[] = [];
  let closed!: Promise<unknown>;
  let begin!: () => void;
  const began = new Promise<void>((resolve) => (begin = resolve));
  const all = await serve(
    (req, res) => {
      closed = once(res, 'close');
      req.on('aborted', () => heard.push('aborted'));
      req.once('data', () => req.pause());
      begin();
    },
    { ...options({}), settings: { initialWindowSize: 1_000_000 } },
  );
  const client = await RawHttp2.open(all.server);
  client.send(frame(Frame.Headers, END_HEADERS, 1, get()));
  for (let i = 0; i < 10; i++) client.send(frame(Frame.Data, 0, 1, Buffer.alloc(16_000)));
  client.send(frame(Frame.RstStream, 0, 1, Buffer.from([0, 0, 0, NO_ERROR])));
  try {
    await bounded(began, () => 'the request');
    await bounded(closed, () => 'the end of the response');
  } finally {
    client.drop();
  }
  assert.deepEqual(heard, ['aborted']);
  await all.close();
});

test('an answer may take longer than requestTimeout, and a tunnel too', async () => {
  const all = await serve(() => undefined, options({ requestTimeout: 30 }));
  all.server.on('connect', (_req: unknown, res: http.ServerResponse) => res.write('tunnel'));
  // Not node's client: on Node 20 it hangs when it destroys a stream after another was answered before it was sent completely.
  const client = await RawHttp2.open(all.server);
  const tunnel = block({ ':method': 'CONNECT', ':authority': 'a' });
  client.send(frame(Frame.Headers, END_HEADERS, 1, tunnel), frame(Frame.Headers, END_HEADERS | END_STREAM, 3, get()));
  await client.until(Frame.Data, 1);
  // A request that starts after both runs into the deadline.
  client.send(frame(Frame.Headers, END_HEADERS, 5, get()));
  await client.until(Frame.RstStream, 5);
  assert.deepEqual(
    client.frames.filter(({ type }) => type === Frame.RstStream).map(({ stream }) => stream),
    [5],
  );
  assert.deepEqual(
    client.frames.filter(({ type, stream }) => type === Frame.Headers && stream === 3),
    [],
    'the request that is complete waits for its answer',
  );
  client.drop();
  await all.close();
});

test('a session without streams ends with GOAWAY after keepAliveTimeout, and one with a stream does not', async () => {
  const all = await serve(
    (req, res) => {
      if (req.url === '/late') res.write('begun');
      else alive(req, res);
    },
    options({ keepAliveTimeout: 60_000 }),
  );
  const busy = all.session.request({ ':path': '/late' });
  await once(busy, 'response');
  Object.assign(all.server, { keepAliveTimeout: 30 });
  const client = await RawHttp2.open(all.server);
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get()));
  const goAway = await client.until(Frame.GoAway);
  assert.deepEqual([goAway?.payload.readUInt32BE(0), goAway?.payload.readUInt32BE(4)], [1, NO_ERROR]);
  await client.untilClosed();
  assert.ok(await isAlive(all.session));
  await all.close();
});

test('an answer in a session that has ended because of invalid input is closed, although the session reads no more', async () => {
  let closed: Promise<unknown> | undefined;
  const all = await serve((_req, res) => {
    closed = once(res, 'close');
    res.write('begun');
  }, options({}));
  const client = await RawHttp2.open(all.server);
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get()));
  await client.until(Frame.Headers, 1);
  // An invalid HPACK block.
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 3, Buffer.alloc(6, 0xff)));
  await client.until(Frame.GoAway);
  client.drop();
  await closed;
  await all.close();
});

test('a connectionsCheckingInterval that is too long for a timer, or not a time, does not check the sessions all the time', async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', hear);
  for (const connectionsCheckingInterval of [2 ** 31, Infinity, Number.NaN]) {
    const { session, close } = await serve(alive, { keepAliveTimeout: 0, connectionsCheckingInterval } as object);
    assert.ok(await isAlive(session));
    await close();
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', hear);
  assert.deepEqual(warnings, []);
});

test('deadlines among the options hold for a server with HTTP/1 too, and its properties take precedence', async () => {
  const given = { headersTimeout: 1000, requestTimeout: 2000, keepAliveTimeout: 3000, connectionsCheckingInterval: 10 };
  const make = (): Deadlines => {
    const secure = { ...certificate(), allowHTTP1: true, ...given };
    return nonstopHttp2().createSecureServer(secure) as Deadlines;
  };
  const { headersTimeout, requestTimeout, keepAliveTimeout } = make();
  assert.deepEqual({ headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval: 10 }, given);
  const changed = http2.createSecureServer({ ...certificate(), allowHTTP1: true, ...given } as object) as Deadlines;
  changed.headersTimeout = 70;
  const app = ours();
  app.use((_req, res) => void res.end('alive'));
  const server = (changed as http2.Http2SecureServer).on('request', app as never);
  const { session, close } = await served(server, true);
  await ask(session, { headers: {} });
  assert.deepEqual([changed.headersTimeout, changed.requestTimeout], [70, 2000]);
  await close();
});

test('a deadline of a message makes that of its session longer, and never shorter', async () => {
  const acts: Record<string, [(req: http.IncomingMessage, res: http.ServerResponse) => unknown, number]> = {
    nothing: [() => undefined, 50_000],
    'req.setTimeout(0)': [(req) => req.setTimeout(0), 0],
    'res.setTimeout(0)': [(_req, res) => res.setTimeout(0), 0],
    'res.setTimeout(90_000)': [(_req, res) => res.setTimeout(90_000), 90_000],
    'res.setTimeout(10_000)': [(_req, res) => res.setTimeout(10_000), 50_000],
    'req.socket.setTimeout(10_000)': [(req) => req.socket.setTimeout(10_000), 50_000],
    'req.socket.setTimeout(0)': [(req) => req.socket.setTimeout(0), 0],
  };
  for (const [name, [act, expected]] of Object.entries(acts)) {
    let left: number | undefined;
    const all = await serve((req, res) => {
      act(req, res);
      left = ((req as never as { stream: http2.ServerHttp2Stream }).stream.session as never as { timeout: number })
        .timeout;
      res.end();
    });
    all.server.setTimeout(50_000);
    // The deadline is that of later sessions.
    const { session, close } = await served(all.server);
    await ask(session, { headers: {} });
    assert.equal(left, expected, name);
    await close();
    await all.close();
  }
});

test('an idle connection of HTTP/1 has the usual deadline on every Node', () => {
  const secure = { ...certificate(), allowHTTP1: true };
  assert.equal((nonstopHttp2().createSecureServer(secure) as Deadlines).keepAliveTimeout, 5000);
  assert.equal((nonstopHttp2().createServer() as Deadlines).keepAliveTimeout, undefined);
});

test('a session that ends itself behind GOAWAY of its client ends with its streams when the client is gone', async () => {
  let heard = (): void => undefined;
  const closed = new Promise<void>((resolve) => (heard = resolve));
  const events: string[] = [];
  const all = await serve((req, res) => {
    if (req.url === '/') {
      alive(req, res);
      return;
    }
    setTimeout(() => res.end('late'), 200);
    for (const event of ['finish', 'close']) res.on(event, () => events.push(event));
    res.on('close', heard);
  }, options({}));
  const client = await RawHttp2.open(all.server);
  await client.until(Frame.Settings);
  client.send(frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get('/held')));
  await sleep(50);
  client.send(frame(Frame.GoAway, 0, 0, Buffer.alloc(8)));
  await sleep(50);
  // A fault: the stream has ended.
  client.send(frame(Frame.Data, END_STREAM, 1, Buffer.from('x')));
  await sleep(50);
  client.drop();
  await bounded(closed, () => 'the end of the stream');
  assert.deepEqual(events, ['close']);
  assert.ok(await isAlive(all.session));
  await all.close();
});
