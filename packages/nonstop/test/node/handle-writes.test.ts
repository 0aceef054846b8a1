import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import os = require('node:os');
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { connected, received } from '../support/connected.js';
import { inChangedNode } from '../support/without.js';
import { canWriteDirectly, passesToHandle, writeDirectly } from '../../src/node/handle-writes.js';

const untold = { sent: (): never => assert.fail('no callback is expected') };

test('data that the kernel accepts is written, and the stream stays empty', async () => {
  const { socket, peer, close } = await connected();
  assert.equal(canWriteDirectly(socket), true);
  for (const text of ['one', 'two', 'thr\xe9']) assert.equal(writeDirectly(socket, text, false, untold), true);
  assert.equal(writeDirectly(socket, '\u20ac', true, untold), true);
  assert.equal(socket.writableLength, 0);
  assert.equal(socket.bytesWritten, 13);
  assert.equal(await received(peer, 13), 'onetwothr\xe9\xe2\x82\xac');
  close();
});

for (const utf8 of [false, true]) {
  test(`data that the kernel does not accept at once goes to the stream, in ${utf8 ? 'UTF-8' : 'latin1'}`, async () => {
    const { socket, peer, close } = await connected();
    const text = 'x'.repeat(1 << 20);
    let written = 0;
    let told = 0;
    let result: boolean | undefined = true;
    while (result === true) {
      result = writeDirectly(socket, text, utf8, { sent: () => told++ });
      written += text.length;
    }
    assert.equal(result, false);
    assert.equal(socket.writableLength, text.length, 'the stream counts all of the write that is under way');
    assert.equal(socket.writableNeedDrain, true);
    assert.equal(writeDirectly(socket, 'z', utf8, untold), undefined, 'nothing is written past what waits');
    socket.write('end');
    const [all] = await Promise.all([received(peer, written + 3), once(socket, 'drain')]);
    assert.equal(all.length, written + 3);
    assert.equal(all.slice(-4), 'xend');
    assert.equal(told, 1);
    assert.equal(socket.bytesWritten, written + 3);
    assert.equal(writeDirectly(socket, 'again', utf8, untold), true, 'what follows is written directly again');
    close();
  });
}

test('a write inside the write to another socket has a request object of its own', async () => {
  const [outer, inner] = [await connected(), await connected()];
  const { _handle: handle } = outer.socket as unknown as {
    _handle: { writeLatin1String(...args: unknown[]): unknown };
  };
  const { writeLatin1String } = handle;
  let told = 0;
  handle.writeLatin1String = (...args) => {
    handle.writeLatin1String = writeLatin1String;
    while (writeDirectly(inner.socket, 'x'.repeat(1 << 20), false, { sent: () => told++ }) === true);
    return writeLatin1String.apply(handle, args);
  };
  assert.equal(writeDirectly(outer.socket, 'text', false, untold), true);
  inner.peer.resume();
  await once(inner.socket, 'drain');
  assert.equal(told, 1);
  outer.close();
  inner.close();
});

test('a write to another socket has a request object of its own while one waits for the kernel', async () => {
  const [waiting, other] = [await connected(), await connected()];
  let told = 0;
  const drained = [waiting, other].map(({ socket }) => {
    while (writeDirectly(socket, 'x'.repeat(1 << 20), false, { sent: () => told++ }) === true);
    return once(socket, 'drain');
  });
  for (const { peer } of [waiting, other]) peer.resume();
  await Promise.all(drained);
  assert.equal(told, 2);
  waiting.close();
  other.close();
});

test('an error is reported by the stream', async () => {
  const { socket, close } = await connected();
  const text = 'x'.repeat(1 << 20);
  while (writeDirectly(socket, text, false, { sent: () => {} }) === true);
  const closed = new Promise<Error | null | undefined>((told) => {
    socket.write('behind', told);
  });
  close();
  assert.ok((await closed) instanceof Error);
});

const reasons: Record<string, (socket: net.Socket) => void> = {
  'something waits in the stream': (socket) => {
    socket.cork();
    socket.write('waits');
  },
  "the socket's write is replaced": (socket) => {
    socket.write = () => true;
  },
  'the method that write calls is replaced': (socket) => {
    socket._write = () => {};
  },
  'the socket is closed': (socket) => void socket.destroy(),
};

for (const [reason, make] of Object.entries(reasons)) {
  test(`nothing is written if ${reason}`, async () => {
    const { socket, close } = await connected();
    make(socket);
    assert.equal(writeDirectly(socket, 'text', false, untold), undefined);
    assert.equal(socket.bytesWritten, socket.writableLength);
    close();
  });
}

test('a stream that is not a socket of node is not written to directly', () => {
  class Own extends net.Socket {}
  assert.equal(canWriteDirectly(new Own()), false);
  assert.equal(canWriteDirectly(new net.Socket()), false);
});

test('what an open socket of node is given goes to its handle, unless a method on the way was replaced', async () => {
  const { socket, close } = await connected();
  assert.equal(passesToHandle(socket), true);
  for (const name of ['write', '_write', '_writev', '_writeGeneric']) {
    Object.assign(socket, { [name]: () => true });
    assert.equal(passesToHandle(socket), false, name);
    Reflect.deleteProperty(socket, name);
    assert.equal(passesToHandle(socket), true, name);
  }
  close();
  assert.equal(passesToHandle(socket), false, 'destroyed');
  assert.equal(passesToHandle(null), false);
  assert.equal(passesToHandle(new Duplex() as net.Socket), false);
});

// The kernel reports the reset of a connection once: a second write would fail with EPIPE.
test('an error of the kernel is the one that the stream reports', async () => {
  const { socket, close } = await connected();
  const failed = once(socket, 'error');
  let calls = 0;
  const refuse = (): number => (calls++, os.constants.errno.ECONNRESET * -1);
  Object.assign((socket as unknown as { _handle: object })._handle, { writeLatin1String: refuse });
  const told: unknown[] = [];
  assert.equal(writeDirectly(socket, 'text', false, { sent: (error) => told.push(error) }), false);
  const [error] = (await failed) as [NodeJS.ErrnoException];
  assert.equal(error.code, 'ECONNRESET');
  assert.deepEqual(told, [error]);
  assert.equal(calls, 1);
  close();
});

test('the stream is written to on a Node that makes no socket with a handle of JavaScript', async () => {
  const change = `
    const Given = net.Socket;
    net.Socket = class Socket extends Given {
      constructor(options) {
        if (typeof options?.handle?.getAsyncId !== 'function' && options?.handle !== undefined) throw new TypeError('no handle');
        super(options);
      }
    };
  `;
  assert.equal(await inChangedNode(change, 'handle-writes', 'String(part.writeRequestClass())'), 'undefined');
});

for (const name of ['write', '_write', '_writeGeneric']) {
  test(`nothing is written directly if ${name}() of all sockets was replaced before this file was loaded`, async () => {
    const change = `
      const { ${name}: nodes } = net.Socket.prototype;
      net.Socket.prototype.${name} = function (...args) { return nodes.apply(this, args); };`;
    const asked = `new Promise((tell) => {
      const server = net.createServer((socket) => {
        tell([part.canWriteDirectly(socket), part.passesToHandle(socket)]);
        socket.destroy();
        server.close();
      });
      server.listen(0, '127.0.0.1', () => net.connect(server.address().port, '127.0.0.1').resume());
    })`;
    assert.deepEqual(await inChangedNode('', 'handle-writes', asked), [true, true]);
    assert.deepEqual(await inChangedNode(change, 'handle-writes', asked), [false, false]);
  });
}
