import assert = require('node:assert/strict');
import type http2 = require('node:http2');
import { test } from 'node:test';
import { ask } from '../support/http2-client.js';
import { serve } from '../support/http2-server.js';

/* Alone in its process: an agent patches node's streams before the first answer. */

test("an agent's respond() of all streams is called for each answer", async () => {
  const called: unknown[] = [];
  const { server, session, close } = await serve((req, res) => {
    if (req.url === '/parts') res.write('part');
    res.end(req.url === '/none' ? undefined : 'whole');
  });
  server.prependOnceListener('stream', (stream: http2.ServerHttp2Stream) => {
    const prototype = Object.getPrototypeOf(stream) as {
      respond(this: http2.ServerHttp2Stream, ...args: unknown[]): unknown;
    };
    const { respond } = prototype;
    prototype.respond = function (...args) {
      called.push((args[0] as http2.OutgoingHttpHeaders)[':status']);
      return respond.apply(this, args);
    };
    server.once('close', () => Object.assign(prototype, { respond }));
  });
  for (const path of ['/', '/', '/none', '/parts']) await ask(session, { headers: { ':path': path } });
  await close();
  assert.deepEqual(called, [200, 200, 200, 200]);
});
