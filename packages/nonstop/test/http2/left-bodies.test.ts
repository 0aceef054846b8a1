import assert = require('node:assert/strict');
import type http = require('node:http');
import { pipeline, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import { answerOf } from '../support/http2-client.js';
import { serve, serveFirst } from '../support/http2-server.js';

/*
 * Readers that leave a body in its middle. node's stream functions take the socket of a request of HTTP/1 away before they destroy it, so that it
 * can be answered.
 */

type Leave = (req: http.IncomingMessage) => Promise<unknown>;

const leaving: Readonly<Record<string, Leave>> = {
  'a loop that ends early': async (req) => {
    for await (const _ of req) return;
  },
  'a loop that ends when more of the body waits': async (req) => {
    for await (const _ of req) {
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
      return;
    }
  },
  'a loop that throws': async (req) => {
    await assert.rejects(async () => {
      for await (const _ of req) throw new Error('enough');
    });
  },
  'a pipeline that fails': (req) =>
    new Promise((resolve) => {
      const target = new Writable({ write: (_chunk, _encoding, done) => done(new Error('full')) });
      pipeline(req, target, resolve);
    }),
};

for (const [name, leave] of Object.entries(leaving)) {
  for (const [door, make] of [
    ['a request', serve],
    ["a first request of node's", serveFirst],
  ] as const) {
    for (const size of [10, 500_000]) {
      test(`${door} of ${size} octets is answered after ${name}`, { timeout: 5000 }, async () => {
        let req!: http.IncomingMessage;
        let sent: Promise<unknown> | undefined;
        const { server, session, close } = await make(async (asked, res) => {
          req = asked;
          await leave(req);
          assert.deepEqual([req.destroyed, req.aborted, req.socket], [true, true, null]);
          assert.ok(res.socket!.writable);
          res.statusCode = 413;
          sent = finished(res);
          res.end('enough');
        });
        const gone = new Promise((resolve) => server.once('stream', (each) => each.once('close', resolve)));
        const stream = session.request({ ':method': 'POST' });
        stream.end(Buffer.alloc(size));
        const { status, body, whole } = await answerOf(stream);
        assert.deepEqual([status, body.toString(), whole], [413, 'enough', true]);
        await sent;
        await gone;
        await close();
      });
    }
  }
}

for (const [door, make] of [
  ['a request', serve],
  ["a first request of node's", serveFirst],
] as const) {
  for (const length of [undefined, '2']) {
    const answer = length === undefined ? 'an answer in parts' : 'an answer in parts with a length';
    test(
      `${answer} ends ${door} whose body its client goes on to send, which a listener waits for`,
      { timeout: 5000 },
      async () => {
        const heard: string[] = [];
        const { session, close } = await make((req, res) => {
          for (const event of ['end', 'close', 'aborted', 'error']) req.on(event, () => heard.push(event));
          if (length !== undefined) res.setHeader('Content-Length', length);
          res.write('a');
          res.end('b');
        });
        const stream = session.request({ ':method': 'POST' }, { endStream: false });
        stream.write('some');
        const closed = new Promise((resolve) => stream.once('close', resolve));
        const { status, body } = await answerOf(stream);
        await closed;
        assert.deepEqual([status, body.toString(), stream.rstCode], [200, 'ab', 0]);
        await close();
        assert.deepEqual(heard, ['end', 'close']);
      },
    );
  }
}
