import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import net = require('node:net');
import { test } from 'node:test';
import tls = require('node:tls');
import { certificate } from '../support/certificate.js';
import { ask } from '../support/http2-client.js';
import { serve, served, type Served } from '../support/http2-server.js';
import { END_HEADERS, END_STREAM, Frame, frame, get, RawHttp2 } from '../support/raw-http2.js';
import { nonstopHttp2 } from '../support/subject.js';

const headers = (stream: number, block = get(), flags = END_HEADERS | END_STREAM): Buffer =>
  frame(Frame.Headers, flags, stream, block);

const code = (payload: Buffer, at: number): number => payload.readUInt32BE(at);

/** Whether the server still serves who comes by another session. */
async function stillServes({ session }: Served): Promise<void> {
  assert.equal((await ask(session, { headers: { ':path': '/alive' } })).body.toString(), 'alive');
}

const serveAlive = (options?: http2.ServerOptions): Promise<Served> =>
  serve((req, res) => {
    if (req.url === '/alive') res.end('alive');
  }, options);

test('a session may have 128 streams at once, and its client sends the next when one of them ends', async () => {
  let open = 0;
  let most = 0;
  const all = await serve((_req, res) => {
    most = Math.max(most, ++open);
    // Later than whatever else has come.
    setTimeout(() => {
      open--;
      res.end();
    }, 20);
  });
  await ask(all.session, { headers: {} });
  assert.equal(all.session.remoteSettings.maxConcurrentStreams, 128);
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask(all.session, { headers: {} })));
  assert.ok(answers.every(({ whole }) => whole));
  assert.equal(most, 128);
  await all.close();
});

test('a client that opens more streams than it may loses its session, and nobody else', async () => {
  const all = await serveAlive();
  const client = await RawHttp2.open(all.server);
  await client.until(Frame.Settings);
  // The limit holds once the client has acknowledged it.
  client.send(frame(Frame.Ping, 0, 0, Buffer.alloc(8)));
  await client.until(Frame.Ping);
  for (let i = 0; i < 129; i++) client.send(headers(2 * i + 1));
  const { payload } = (await client.until(Frame.GoAway))!;
  // PROTOCOL_ERROR, which Node 20 calls INTERNAL_ERROR.
  assert.notEqual(code(payload, 4), 0);
  await stillServes(all);
  client.drop();
  await all.close();
});

test('the number of streams is that of the options where they have one', async () => {
  const all = await serveAlive({ settings: { maxConcurrentStreams: 7 } });
  await stillServes(all);
  assert.equal(all.session.remoteSettings.maxConcurrentStreams, 7);
  await all.close();
});

test('a header block over the limit comes to no handler: its stream is reset, or its session ends', async () => {
  const all = await serveAlive();
  const client = await RawHttp2.open(all.server);
  let handled = 0;
  all.server.on('request', (req) => (handled += Number(req.url === '/long')));
  // 5 frames of 16 KB.
  const long = get('/long', { 'x-long': 'x'.repeat(70_000) });
  for (let at = 0; at < long.length; at += 16_000) {
    const part = long.subarray(at, at + 16_000);
    const flags = at + 16_000 >= long.length ? END_HEADERS : 0;
    client.send(at === 0 ? headers(1, part, END_STREAM) : frame(Frame.Continuation, flags, 1, part));
  }
  // Node 24 and later end the session.
  assert.ok((await client.until(Frame.RstStream, 1)) ?? (await client.until(Frame.GoAway)) ?? client.closed);
  await stillServes(all);
  assert.equal(handled, 0);
  client.drop();
  await all.close();
});

const floods: readonly (readonly [name: string, send: (client: RawHttp2) => void])[] = [
  [
    'streams that are reset as soon as they are opened',
    (client) => {
      for (let i = 0; i < 3000; i++) {
        client.send(headers(2 * i + 1), frame(Frame.RstStream, 0, 2 * i + 1, Buffer.from([0, 0, 0, 8])));
      }
    },
  ],
  [
    'empty frames of a body',
    (client) => {
      client.send(headers(1, get(), END_HEADERS));
      for (let i = 0; i < 3000; i++) client.send(frame(Frame.Data, 0, 1));
    },
  ],
  [
    'a header block in frames without end',
    (client) => {
      client.send(headers(1, get(), 0));
      for (let i = 0; i < 3000; i++) client.send(frame(Frame.Continuation, 0, 1));
    },
  ],
];

for (const [name, send] of floods) {
  test(`a client that sends ${name} loses its session, and nobody else`, async () => {
    const all = await serveAlive();
    const ended = new Promise((resolve) => {
      all.server.on('session', (session: http2.ServerHttp2Session) => session.on('close', resolve));
    });
    const client = await RawHttp2.open(all.server);
    send(client);
    await ended;
    await stillServes(all);
    client.drop();
    await all.close();
  });
}

test('a client of HTTP/1 that comes to the port of HTTP/2 in clear text is sent away', async () => {
  const all = await serveAlive();
  const client = net.connect((all.server.address() as net.AddressInfo).port, '127.0.0.1');
  client.resume().on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(client, 'close');
  await stillServes(all);
  await all.close();
});

/** Connects by TLS. @returns the protocol that was chosen and what came, or the error */
async function shake(server: net.Server, ALPNProtocols: string[] | undefined, send = ''): Promise<unknown> {
  const { port } = server.address() as net.AddressInfo;
  const options = { host: '127.0.0.1', port, rejectUnauthorized: false };
  const socket = tls.connect(ALPNProtocols === undefined ? options : { ...options, ALPNProtocols });
  try {
    await once(socket, 'secureConnect');
    socket.write(send);
    return [socket.alpnProtocol, (await socket.setEncoding('latin1').toArray()).join('').split('\r\n')[0]];
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

test('a client that offers neither HTTP/2 nor HTTP/1.1 is told so in the handshake', async () => {
  const server = nonstopHttp2().createSecureServer({ ...certificate(), allowHTTP1: true }, (_req, res) =>
    res.end('alive'),
  );
  const all = await served(server, true);
  assert.equal(await shake(server, ['spdy/3']), 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL');
  const HELLO = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  assert.deepEqual(await shake(server, ['http/1.1'], HELLO), ['http/1.1', 'HTTP/1.1 200 OK']);
  assert.deepEqual(await shake(server, undefined, HELLO), [false, 'HTTP/1.1 200 OK']);
  await stillServes(all);
  await all.close();
});

test('a client without HTTP/2 is refused where HTTP/1.1 is not allowed', async () => {
  const server = nonstopHttp2().createSecureServer(certificate(), (_req, res) => res.end('alive'));
  const all = await served(server, true);
  assert.deepEqual(await shake(server, undefined), [false, 'HTTP/1.0 403 Forbidden']);
  await stillServes(all);
  await all.close();
});
