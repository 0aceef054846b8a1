import assert from 'node:assert/strict';
import { once } from 'node:events';
import net = require('node:net');
import stream = require('node:stream');
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { createServer } from '../../src/http/http-module.js';
import { COPIES_HAVE_OWN_CLASSES } from '../../src/node/differences.js';

setFlagsFromString('--allow-natives-syntax');
// The flag applies to code that is compiled after it is set.
const haveSameMap = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;

/** The options that a socket's constructor passes to the constructor of streams. */
function copiedOptions(): object {
  const { Duplex } = stream;
  let copy: object | undefined;
  const Watched = function (this: object, options: object): void {
    copy = options;
    (Duplex as unknown as (this: object, options: object) => void).call(this, options);
  };
  Watched.prototype = Duplex.prototype;
  Object.assign(stream, { Duplex: Watched });
  try {
    // The options that net uses for an accepted connection: the number of members matters.
    void new net.Socket({
      handle: undefined,
      allowHalfOpen: true,
      pauseOnCreate: false,
      readable: true,
      writable: true,
      readableHighWaterMark: 65_536,
      writableHighWaterMark: 65_536,
    } as net.SocketConstructorOpts);
  } finally {
    Object.assign(stream, { Duplex });
  }
  assert.ok(copy !== undefined);
  return copy;
}

test('copies of the options of sockets have one hidden class once a server has served a connection', async (t) => {
  for (let made = 0; made < 1000; made++) copiedOptions();
  assert.equal(haveSameMap(copiedOptions(), copiedOptions()), !COPIES_HAVE_OWN_CLASSES, 'before');
  const server = createServer((req, res) => void res.end());
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  client.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  client.resume();
  await once(client, 'close');
  assert.equal(haveSameMap(copiedOptions(), copiedOptions()), true, 'after');
});
