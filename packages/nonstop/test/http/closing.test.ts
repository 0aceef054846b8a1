import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { doors } from '../support/doors.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const ANOTHER = 'GET /another HTTP/1.1\r\nHost: a\r\n\r\n';

for (const door of doors) {
  for (const late of [false, true]) {
    // Closing a socket that has unread octets resets the connection: the peer may lose an answer that it has not read.
    test(`${door.name}: input that arrives with a closing answer${late ? ', late,' : ''} does not reset the connection`, async () => {
      let client: net.Socket | undefined;
      const server = door.createServer({}, (_req, res) => {
        const answer = (): void => {
          // Sent between the read and the answer: these octets are unread when the connection is closed.
          client?.write(ANOTHER);
          res.end('answer');
        };
        if (late) setImmediate(answer);
        else answer();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        for (let round = 0; round < 20; round++) {
          const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
          client = socket;
          const seen: string[] = [];
          socket.on('end', () => seen.push('end'));
          socket.on('error', (error: NodeJS.ErrnoException) => seen.push(String(error.code)));
          let answer = '';
          socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
          socket.write(REQUEST);
          await new Promise((resolve) => socket.once('close', resolve));
          assert.deepEqual(seen, ['end']);
          assert.ok(answer.endsWith('\r\n\r\nanswer'), answer);
        }
      } finally {
        server.close();
      }
    });
  }
}
