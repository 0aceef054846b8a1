import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import net = require('node:net');
import { test } from 'node:test';
import { isAllWritten, octetsLeft, socketOfSession, streamsOfSession } from '../../src/node/http2-sessions.js';

test('the socket and the streams of a session are found', async () => {
  const server = http2.createServer();
  server.on('sessionError', () => {});
  const opened = once(server, 'stream') as Promise<[http2.ServerHttp2Stream]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = http2.connect(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
  client.on('error', () => {});
  client.request({ ':path': '/' }).on('error', () => {});
  const [stream] = await opened;
  const session = stream.session!;
  const socket = socketOfSession(session);
  assert.ok(socket instanceof net.Socket);
  assert.deepEqual(streamsOfSession(session), [stream]);
  assert.equal(typeof isAllWritten(socket), 'boolean');
  const closed = once(session, 'close');
  client.destroy();
  await closed;
  assert.deepEqual(streamsOfSession(session), []);
  server.close();
});

test('a session of a Node with other symbols has neither socket nor streams', () => {
  assert.equal(socketOfSession({ [Symbol('other')]: 1 }), undefined);
  assert.deepEqual(streamsOfSession({}), []);
  assert.equal(isAllWritten(undefined), false);
  assert.equal(isAllWritten(new net.Socket()), false);
});

test('whether the kernel has taken all octets is read from the handle', () => {
  const socket = (writeQueueSize: number): net.Socket => ({ _handle: { writeQueueSize } }) as unknown as net.Socket;
  assert.equal(octetsLeft(Object.assign(socket(3), { writableLength: 4 })), 7);
  assert.equal(octetsLeft(undefined), 0);
  assert.equal(isAllWritten(socket(0)), true);
  assert.equal(isAllWritten(socket(1)), false);
});
