import assert = require('node:assert/strict');
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { joinWaiting } from '../../src/node/waiting-text.js';
import { connected, received } from '../support/connected.js';
import { inChangedNode } from '../support/without.js';

interface Held {
  readonly length: number;
  readonly bufferedRequestCount: number;
  readonly pendingcb: number;
}

/** What the stream of `socket` counts. */
function held(socket: Socket): unknown {
  const state = (socket as unknown as { _writableState: Held })._writableState;
  return [state.length, state.bufferedRequestCount, state.pendingcb];
}

test('text that waits in a corked socket is taken back, and the socket ends as if it had not been there', async (t) => {
  const { socket, peer, close } = await connected();
  t.after(close);
  socket.cork();
  socket.write('head \xe9', 'latin1');
  socket.write('part', 'utf8');
  assert.equal(joinWaiting(socket, 'last', false), undefined, '\xe9 would be two octets');
  assert.deepEqual(held(socket), [10, 2, 2], 'nothing was taken');
  socket.uncork();
  socket.cork();
  socket.write('one ', 'latin1');
  socket.write('two €', 'utf8');
  assert.deepEqual(joinWaiting(socket, ' three', false), { text: 'one two € three', utf8: true });
  assert.deepEqual(held(socket), [0, 0, 0]);
  socket.uncork();
  socket.end('more');
  await once(socket, 'finish');
  assert.equal(await received(peer, 14), 'head \xe9partmore');
});

test('nothing is taken back after a write that is under way', async (t) => {
  const { socket, close } = await connected();
  t.after(close);
  while (socket.writableLength === 0) socket.write('x'.repeat(1000));
  socket.cork();
  socket.write('part');
  const before = held(socket);
  assert.equal(joinWaiting(socket, 'last', false), undefined);
  assert.deepEqual(held(socket), before);
});

test('nothing is taken back if the writer waits for drain', async (t) => {
  const { socket, close } = await connected();
  t.after(close);
  socket.cork();
  while (socket.write('part'));
  assert.equal(joinWaiting(socket, 'last', false), undefined);
  socket.uncork();
  await once(socket, 'drain');
});

const keptOtherwise: Record<string, string> = {
  'in no list': 'stream.Writable.prototype.cork = () => {};',
  'in another form': `
    const { write } = stream.Writable.prototype;
    stream.Writable.prototype.write = function (chunk, ...rest) { return write.call(this, chunk + ' ', ...rest); };`,
};
for (const [how, change] of Object.entries(keptOtherwise)) {
  test(`nothing is taken back where a Node keeps what waits ${how}`, async () => {
    const asked = `(() => {
      const socket = new net.Socket();
      socket.cork();
      socket.on('error', () => {});
      stream.Duplex.prototype.write.call(socket, 'one ', 'latin1');
      return part.joinWaiting(socket, 'two', false) ?? null;
    })()`;
    assert.deepEqual(await inChangedNode('', 'waiting-text', asked), { text: 'one two', utf8: false });
    assert.equal(await inChangedNode(change, 'waiting-text', asked), null);
  });
}
