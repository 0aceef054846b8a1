import assert = require('node:assert/strict');
import { once } from 'node:events';
import type net = require('node:net');
import { test } from 'node:test';
import tls = require('node:tls');
import { certificate } from '../support/certificate.js';
import { ask } from '../support/http2-client.js';
import { served, type Served } from '../support/http2-server.js';
import { nonstopHttp2 } from '../support/subject.js';

/** Whether the server still answers on another session. */
async function stillServes({ session }: Served): Promise<void> {
  assert.equal((await ask(session, { headers: {} })).body.toString(), 'alive');
}

/** Connects by TLS. @returns the chosen protocol and the received octets, or the error */
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

test('the handshake of a client that offers neither HTTP/2 nor HTTP/1.1 fails', async () => {
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

test('a client without HTTP/2 is refused if HTTP/1.1 is not allowed', async () => {
  const server = nonstopHttp2().createSecureServer(certificate(), (_req, res) => res.end('alive'));
  const all = await served(server, true);
  assert.deepEqual(await shake(server, undefined), [false, 'HTTP/1.0 403 Forbidden']);
  await stillServes(all);
  await all.close();
});
