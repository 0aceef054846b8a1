import assert = require('node:assert/strict');
import { once } from 'node:events';
import http2 = require('node:http2');
import net = require('node:net');
import { test } from 'node:test';
import {
  isAllWritten,
  octetsLeft,
  renewStreamMap,
  socketOfSession,
  streamsOfSession,
} from '../../src/node/http2-sessions.js';

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

test('a session gets another map of the same kind from time to time, with the streams that are open', async () => {
  const server = http2.createServer();
  const maps: Map<number, http2.ServerHttp2Stream>[] = [];
  const held: http2.ServerHttp2Stream[] = [];
  server.on('stream', (stream) => {
    const session = stream.session!;
    renewStreamMap(session);
    assert.ok(streamsOfSession(session).includes(stream));
    const state = Object.getOwnPropertySymbols(session).find((symbol) => symbol.description === 'state')!;
    const { streams } = (session as unknown as Record<symbol, { streams: Map<number, http2.ServerHttp2Stream> }>)[
      state
    ];
    if (maps.at(-1) !== streams) maps.push(streams);
    if (held.length === 0) held.push(stream);
    else stream.respond({}, { endStream: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = http2.connect(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
  client.on('error', () => {});
  client.request({ ':path': '/' }).on('error', () => {});
  for (let i = 0; i < 400; i++) await once(client.request({ ':path': '/' }).resume(), 'close');
  assert.ok(maps.length >= 4 && maps.length <= 8, `${maps.length} maps`);
  assert.equal(new Set(maps.map((map) => Object.getPrototypeOf(map))).size, 1);
  assert.deepEqual(streamsOfSession(held[0].session!)[0], held[0]);
  assert.ok(maps.at(-1)!.size <= 3);
  const closed = once(client, 'close');
  client.destroy();
  await closed;
  server.close();
});

test('a session of a Node with other symbols has neither socket nor streams', () => {
  assert.equal(socketOfSession({ [Symbol('other')]: 1 }), undefined);
  assert.deepEqual(streamsOfSession({}), []);
  renewStreamMap({});
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
