import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
