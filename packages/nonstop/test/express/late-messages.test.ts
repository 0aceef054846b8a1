import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { ours } from '../support/framework.js';
import { RawClient } from '../support/raw-http.js';

setFlagsFromString('--allow-natives-syntax');
// The flag applies to code that is compiled after it is set.
const haveSameMap = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;

// Where V8 makes a class for each message, every later look at its members costs a microsecond.
for (const engine of ['nonstop', 'node']) {
  test(`behind a function in front of the application the first handler gets messages of one hidden class: ${engine}`, async (t) => {
    const app = ours();
    if (engine === 'node') app.set('http engine', 'node');
    const waiting: [req: http.IncomingMessage, res: http.ServerResponse][] = [];
    app.use((req, res) => void waiting.push([req, res]));
    const server = http.createServer((req, res) => app(req, res)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.closeAllConnections());
    t.after(() => server.close());
    const clients = await Promise.all([RawClient.open(server), RawClient.open(server)]);
    const same: boolean[] = [];
    // The first messages have classes that V8 still changes.
    for (let round = 0; round < 12; round++) {
      for (const client of clients) await client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      while (waiting.length < 2) await setImmediate();
      // Both have just arrived: messages get other classes on their way.
      const [[req, res], [otherReq, otherRes]] = waiting.splice(0);
      same.push(haveSameMap(req, otherReq) && haveSameMap(res, otherRes));
      for (const one of [res, otherRes]) one.end();
      for (const client of clients) await client.answer();
    }
    assert.deepEqual(same.slice(-4), [true, true, true, true]);
  });
}
