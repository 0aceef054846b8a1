import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import net = require('node:net');
import { test } from 'node:test';
import { doors } from '../support/doors.js';
import { holderOf } from '../support/served.js';

type Writes = Record<'writev' | 'writeLatin1String' | 'writeUtf8String' | 'writeBuffer', (...args: never[]) => unknown>;

const handlers: Record<string, (res: http.ServerResponse) => unknown> = {
  ASCII: (res) => {
    res.write('one');
    res.write('two');
    res.end('three');
  },
  'UTF-8 behind a head in ASCII': (res) => {
    res.write('€');
    res.write('two');
    res.end();
  },
  'a known length': (res) => {
    res.setHeader('Content-Length', 9);
    res.write('€');
    res.end('€€');
  },
};

for (const [what, handler] of Object.entries(handlers)) {
  test(`parts of one tick go to the kernel as one text, without a list of parts: ${what}`, async () => {
    const [, engine] = doors;
    const calls: string[] = [];
    const server = engine.createServer({}, (_, res) => {
      assert.equal(holderOf(res.socket!), engine.serves);
      const { _handle: handle } = res.socket as unknown as { _handle: Writes };
      for (const name of ['writev', 'writeLatin1String', 'writeUtf8String', 'writeBuffer'] as const) {
        const write = handle[name];
        handle[name] = (...args) => {
          calls.push(name === 'writev' || name === 'writeBuffer' ? name : 'text');
          return write.apply(handle, args);
        };
      }
      handler(res);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of client) text += String(chunk);
    server.close();
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
    assert.deepEqual(calls, ['text']);
  });
}
