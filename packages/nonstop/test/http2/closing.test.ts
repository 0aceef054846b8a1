import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import net = require('node:net');
import { test } from 'node:test';
import tls = require('node:tls');
import { certificate } from '../support/certificate.js';
import { ours } from '../support/framework.js';
import { ask, openSession } from '../support/http2-client.js';
import { serve, served } from '../support/http2-server.js';
import { END_HEADERS, END_STREAM, Frame, frame, get } from '../support/raw-http2.js';
import { nonstopHttp2 } from '../support/subject.js';

/* How the connections of sessions end, also those of clients that do not close them or do not read. */

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const WIDE = Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]);
const ACK = 1;

/** Waits until a socket of the server is closed. */
async function closing(socket: net.Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close');
}

/** Opens a connection that its client keeps open after the server's FIN. @returns both of its ends */
async function openHalf(server: net.Server): Promise<{ client: net.Socket; socket: net.Socket }> {
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  const { port } = server.address() as net.AddressInfo;
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined);
  const [socket] = await accepted;
  return { client, socket };
}

test('a connection that its client keeps open after GOAWAY is closed', { timeout: 5000 }, async () => {
  const options = { connectionsCheckingInterval: 10, keepAliveTimeout: 30 } as http2.ServerOptions;
  const { server, session, close } = await serve((_req, res) => res.end('whole'), options);
  const { client, socket } = await openHalf(server);
  client.write(
    Buffer.concat([PREFACE, frame(Frame.Settings, 0, 0), frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get())]),
  );
  await once(client.resume(), 'end');
  await closing(socket);
  client.destroy();
  session.destroy();
  await close();
});

test('closeAllConnections() closes the connection of a client that does not read', { timeout: 5000 }, async () => {
  const { server, session, close } = await serve((_req, res) => {
    res.on('error', () => undefined).end(Buffer.alloc(50_000_000));
  });
  const { client, socket } = await openHalf(server);
  const asked = once(server, 'request');
  const settings = Buffer.concat([frame(Frame.Settings, 0, 0, WIDE), frame(Frame.Settings, ACK, 0)]);
  const window = frame(Frame.WindowUpdate, 0, 0, Buffer.from([0x7f, 0, 0, 0]));
  client
    .pause()
    .write(Buffer.concat([PREFACE, settings, window, frame(Frame.Headers, END_HEADERS | END_STREAM, 1, get())]));
  await asked;
  // The kernel's buffers are full.
  while ((socket as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize === 0)
    await new Promise((resolve) => setImmediate(resolve));
  (server as unknown as net.Server & { closeAllConnections(): void }).closeAllConnections();
  await closing(socket);
  client.destroy();
  session.destroy();
  await close();
});

for (const method of ['closeAllConnections', 'closeIdleConnections'] as const) {
  test(`${method}() closes a connection of HTTP/1 on the same port`, { timeout: 5000 }, async () => {
    const options = { ...certificate(), allowHTTP1: true };
    const { server, close } = await served(
      nonstopHttp2().createSecureServer(options, (_req, res) => res.end('whole')),
      true,
    );
    const { port } = server.address() as net.AddressInfo;
    const client = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client, 'data');
    (server as unknown as Record<typeof method, () => void>)[method]();
    await closing(client);
    await close();
  });
}

test('closeIdleConnections() ends the sessions without a request, and no others', { timeout: 5000 }, async () => {
  let waiting!: () => void;
  const { server, session, close } = await serve((req, res) => {
    if (req.url === '/later') waiting = () => res.end('later');
    else res.end('now');
  });
  const idle = await openSession(server, false);
  assert.equal((await ask(idle, { headers: {} })).status, 200);
  const fresh = await openSession(server, false);
  const asked = once(server, 'request');
  const later = ask(session, { headers: { ':path': '/later' } });
  await asked;
  const ended = once(idle, 'close');
  (server as unknown as { closeIdleConnections(): void }).closeIdleConnections();
  await ended;
  assert.equal((await ask(fresh, { headers: {} })).status, 200);
  fresh.destroy();
  waiting();
  assert.equal((await later).body.toString(), 'later');
  assert.equal(session.closed, false);
  await close();
});

test('a session that was open before the first request is closed as well', { timeout: 5000 }, async () => {
  const app = ours();
  app.use((_req, res) => void res.send('whole'));
  const { server, session } = await served(http2.createServer(app as never));
  const first = await openSession(server);
  await ask(first, { headers: {} });
  await ask(session, { headers: {} });
  const told = Promise.all([first, session].map(async (each) => await once(each, 'goaway')));
  const closed = once(server, 'close');
  server.close();
  await told;
  await closed;
});

test('a session whose handshake ends after close() is closed after its first request', { timeout: 5000 }, async () => {
  const server = nonstopHttp2().createSecureServer(certificate(), (_req, res) => res.end('whole'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  await accepted;
  const closed = once(server, 'close');
  server.close();
  const secured = tls.connect({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  const session = http2.connect('https://localhost', { createConnection: () => secured });
  session.on('error', () => undefined);
  assert.equal((await ask(session, { headers: {} })).body.toString(), 'whole');
  await closed;
});
