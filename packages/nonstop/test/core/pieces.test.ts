import assert = require('node:assert/strict');
import { test } from 'node:test';
import { Pieces } from '../../src/core/pieces.js';
import { seeded } from '../support/seeded.js';

test('the pieces of a body are its octets, in their order', () => {
  const random = seeded(17);
  for (let round = 0; round < 100; round++) {
    const pieces = new Pieces();
    const all: Buffer[] = [];
    const longest = random.pick([1, 3, 300, 20_000]);
    for (let count = random.below(400); count > 0; count--) {
      const piece = Buffer.alloc(1 + random.below(longest), all.length % 251);
      all.push(piece);
      pieces.add(piece);
    }
    assert.ok(Buffer.concat(pieces.list).equals(Buffer.concat(all)));
    assert.equal(pieces.size, Buffer.concat(all).length);
  }
});

test('small pieces are joined, in memory of their own, and large ones stay as they are', () => {
  const small = new Pieces();
  for (let i = 0; i < 10_000; i++) small.add(Buffer.from('a'));
  assert.ok(small.list.length < 300, `${small.list.length}`);
  for (const joined of small.list.slice(0, 100)) assert.equal(joined.buffer.byteLength, joined.length);

  const large = Array.from({ length: 200 }, () => Buffer.alloc(1000));
  const pieces = new Pieces();
  for (const piece of large) pieces.add(piece);
  assert.ok(pieces.list.every((piece, i) => piece === large[i]));
});
