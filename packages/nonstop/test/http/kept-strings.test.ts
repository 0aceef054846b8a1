import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ask } from '../support/http2-client.js';
import { serve } from '../support/http2-server.js';
import { keptStringsAreSmall } from '../support/kept-strings.js';
import { nonstopHttp } from '../support/subject.js';

keptStringsAreSmall('node:http', 'engine');

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const CONNECTIONS = 100;

/** Closed connections are freed in a turn of their own. */
async function settled(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await sleep(20);
    gc();
  }
}

/** @returns octets of the heap for each idle connection that has had four equal requests with a body of this size */
async function heapOfIdle(size: number): Promise<number> {
  const server: http.Server = nonstopHttp.createServer((req, res) => req.on('end', () => res.end('x')).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await settled();
  const before = process.memoryUsage().heapUsed;
  const sockets: net.Socket[] = [];
  for (let i = 0; i < CONNECTIONS; i++) {
    const socket = net.connect(port, '127.0.0.1');
    sockets.push(socket);
    for (let again = 0; again < 4; again++) {
      socket.write(
        `POST / HTTP/1.1\r\nHost: a\r\nX-Id: 0123456789\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`,
      );
      await once(socket, 'data');
    }
  }
  await settled();
  const used = process.memoryUsage().heapUsed - before;
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
  return used / CONNECTIONS;
}

test('an idle connection does not keep the body of its last requests', async () => {
  // The first round compiles.
  await heapOfIdle(100);
  const small = await heapOfIdle(100);
  const large = await heapOfIdle(3500);
  assert.ok(large - small < 1500, `${large.toFixed(0)} octets, of ${small.toFixed(0)} with smaller bodies`);
});

const TEXTS = 100;
const LARGE = 100_000;

/** A part of a text that V8 does not copy: it keeps the whole text. */
const partOfLarge = (i: number): string => String(i).padStart(LARGE, 'x').slice(-40);

/** Asserts that answers with parts of large texts keep nothing of these. @param answer sends an answer and waits for it */
async function keepsNoLargeTexts(answer: (i: number) => Promise<unknown>): Promise<void> {
  await settled();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < TEXTS; i++) await answer(i);
  await settled();
  const each = (process.memoryUsage().heapUsed - before) / TEXTS;
  assert.ok(each < LARGE / 10, `${each.toFixed(0)} octets for each text`);
}

test('a reason phrase that is part of a large text does not keep the text', async () => {
  let i = 0;
  const server: http.Server = nonstopHttp.createServer((_req, res) => res.writeHead(600 + i, partOfLarge(i)).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  await keepsNoLargeTexts(async (next) => {
    i = next;
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client, 'data');
  });
  client.destroy();
  server.close();
  await once(server, 'close');
});

test('over HTTP/2 a field that is part of a large text does not keep the text', async () => {
  let i = 0;
  const all = await serve((_req, res) => res.setHeader(`x-${i}`, partOfLarge(i)).end('x'));
  await keepsNoLargeTexts(async (next) => {
    i = next;
    const { fields } = await ask(all.session, { headers: { ':path': '/' } });
    assert.ok(fields.some(([name]) => name === `x-${i}`));
  });
  await all.close();
});
