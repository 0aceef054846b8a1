import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import { test } from 'node:test';
import { octetsSent, unifySocketOptions, shutDown, uncorkFully } from '../../src/node/sockets.js';
import { inChangedNode } from '../support/without.js';

async function connected(): Promise<{ socket: net.Socket; peer: net.Socket; close(): void }> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [net.Socket];
  return { socket, peer, close: () => [peer.destroy(), socket.destroy(), server.close()] };
}

test("a socket is ended by its stream's method, without 'finish'", async () => {
  const { socket, peer, close } = await connected();
  peer.resume();
  const ended = once(peer, 'end');
  assert.equal(shutDown(socket), true);
  assert.equal(socket.writableEnded, false);
  await ended;
  close();
});

test('octets that wait in a socket are not sent, also when it is closed', async () => {
  const { socket, peer, close } = await connected();
  peer.pause();
  socket.write('x'.repeat(1000));
  assert.equal(octetsSent(socket), 1000);
  // More than the system takes: the second waits in the stream.
  for (const _ of [1, 2]) socket.write(Buffer.alloc(20_000_000));
  const sent = octetsSent(socket);
  assert.ok(sent >= 1000 && sent <= 20_001_000, String(sent));
  assert.ok(socket.bytesWritten > sent);
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
  assert.equal(octetsSent(socket), sent);
  assert.deepEqual([octetsSent({ bytesWritten: 3 }), octetsSent({})], [3, 0]);
  close();
});

test('a socket without that method is left to its caller', async () => {
  const { socket, close } = await connected();
  Object.defineProperty(socket, '_final', { value: undefined });
  assert.equal(shutDown(socket), false);
  assert.equal(socket.destroyed, false);
  close();
});

const seen: Readonly<Record<string, (socket: net.Socket) => void>> = {
  "a listener for 'finish'": (socket) => void socket.on('finish', () => {}),
  'octets that wait': (socket) => {
    socket.cork();
    socket.write('octets');
  },
  'an end() of its own': (socket) => {
    socket.end = () => socket;
  },
  'a destroySoon() of its own': (socket) => {
    socket.destroySoon = () => {};
  },
  'a prototype of its own': (socket) => {
    Object.setPrototypeOf(socket, Object.create(net.Socket.prototype) as object);
  },
};
for (const [what, change] of Object.entries(seen)) {
  test(`a socket with ${what} is left to its caller`, async () => {
    const { socket, close } = await connected();
    change(socket);
    assert.equal(shutDown(socket), false);
    assert.equal(socket.destroyed, false);
    close();
  });
}

for (const name of ['end', 'destroySoon']) {
  test(`a socket is left to its caller if ${name}() of all sockets was replaced before`, async () => {
    const change = `
      const { ${name}: nodes } = net.Socket.prototype;
      net.Socket.prototype.${name} = function (...args) { return nodes.apply(this, args); };`;
    const asked = `new Promise((tell) => {
      const server = net.createServer((socket) => {
        tell(part.shutDown(socket));
        socket.destroy();
        server.close();
      });
      server.listen(0, '127.0.0.1', () => net.connect(server.address().port, '127.0.0.1').resume());
    })`;
    assert.equal(await inChangedNode(change, 'sockets', asked), false);
  });
}

test('all corks are taken off', async () => {
  const { socket, peer, close } = await connected();
  socket.cork();
  socket.cork();
  socket.write('octets');
  uncorkFully(socket);
  assert.equal(socket.writableCorked, 0);
  assert.equal(String((await once(peer, 'data'))[0]), 'octets');
  close();
});

test('a socket can be made of options without a prototype', () => {
  unifySocketOptions();
  assert.equal(new net.Socket(Object.create(null) as object).destroyed, false);
});
