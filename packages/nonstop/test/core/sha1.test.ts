import assert = require('node:assert/strict');
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { blocksOf, sha1 } from '../../src/core/sha1.js';
import { seeded } from '../support/seeded.js';

test('the hash is that of node:crypto, for every length', () => {
  const random = seeded(3);
  for (let length = 0; length <= 300; length += 1) {
    const octets = Uint8Array.from({ length }, () => random.below(256));
    assert.equal(sha1(octets).toString('hex'), createHash('sha1').update(octets).digest('hex'), `${length} octets`);
  }
});

test('the hash is that of node:crypto where words are at their limits', () => {
  for (const octet of [0, 0x7f, 0x80, 0xff]) {
    for (const length of [55, 56, 63, 64, 119, 120, 1024]) {
      const octets = Buffer.alloc(length, octet);
      assert.equal(sha1(octets).toString('hex'), createHash('sha1').update(octets).digest('hex'));
    }
  }
});

test('the hashed bytes are not changed', () => {
  const octets = Buffer.from('Hello World!');
  sha1(octets);
  assert.equal(octets.toString(), 'Hello World!');
});

test('a block takes 55 octets beside the length', () => {
  assert.deepEqual([0, 55, 56, 119, 120].map(blocksOf), [1, 1, 2, 2, 3]);
});
