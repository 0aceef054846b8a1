import assert = require('node:assert/strict');
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { eachSameThroughBothDoors } from '../support/both-doors.js';
import { doors } from '../support/doors.js';
import { RawClient } from '../support/raw-http.js';

/** Timeout of a socket, in ms: shorter than the whole transfer, longer than the pauses in it. */
const TIMEOUT = 1000;
const PAUSE = 200;
const PIECES = 8;

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

eachSameThroughBothDoors([
  {
    name: 'a second data listener of the socket gets all later data',
    talk: async (client) => {
      for (const path of ['/1', '/2', '/3']) {
        await client.send(get(path));
        await client.answer();
      }
    },
    handler: ({ url, socket }, res, log) => {
      if (url === '/1') socket.on('data', (chunk: Buffer) => log('listener', chunk.toString('latin1')));
      res.end(url);
    },
  },
  {
    name: 'a body read from the socket is made of ordinary Buffers',
    send: post('/', 'of ordinary octets'),
    handler: (req, res, log) => {
      req.on('data', (chunk: Buffer) => {
        log('body', 'chunk', [Object.getPrototypeOf(chunk) === Buffer.prototype, chunk.constructor.name]);
      });
      req.on('end', () => res.end());
    },
  },
  {
    name: 'the packet of a parse error is an ordinary Buffer',
    send: 'GET / HTTP/1.1\r\nHost: a\r\n: none\r\n\r\n',
    then: 'wait',
    setup: (server, log) => {
      server.on('clientError', (error: Error & { rawPacket: Buffer }, socket) => {
        log('server', 'packet', [
          Object.getPrototypeOf(error.rawPacket) === Buffer.prototype,
          error.rawPacket.toString(),
        ]);
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      });
    },
  },
]);

for (const door of doors) {
  test(`${door.name}: data that arrives while the socket is paused is read after resume(), whole and in order`, async () => {
    const seen: string[] = [];
    let held: Socket | undefined;
    const server = door.createServer({}, (req, res) => {
      seen.push(`${req.url}`);
      if (req.url === '/1') (held = req.socket).pause();
      res.end(req.url);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await RawClient.open(server);
    try {
      await client.send(get('/1'));
      await client.answer();
      await client.send(get('/2'));
      await client.send(get('/3'));
      held!.resume();
      await client.send(get('/4'));
      for (let i = 0; i < 3; i++) await client.answer();
      assert.deepEqual(seen, ['/1', '/2', '/3', '/4']);
    } finally {
      client.drop();
      server.close();
    }
  });

  // An answer is a write, which would also delay the timeout: here the server only reads.
  test(`${door.name}: arriving data restarts a timeout of the socket`, async () => {
    let timeouts = 0;
    const server = door.createServer({}, (req, res) => {
      req.resume().on('end', () => res.end());
    });
    server.setTimeout(TIMEOUT, () => timeouts++);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await RawClient.open(server);
    try {
      let [longest, last] = [0, performance.now()];
      await client.send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${PIECES}\r\n\r\n`);
      for (let i = 0; i < PIECES; i++) {
        await later(PAUSE);
        await client.send('x');
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      }
      await client.answer();
      // If the machine stood still for that long there was no traffic, and a timeout is correct.
      if (longest < TIMEOUT) assert.equal(timeouts, 0);
    } finally {
      client.drop();
      server.close();
    }
  });
}
