import assert = require('node:assert/strict');
import { test } from 'node:test';
import etag = require('etag');
import { strongEtag, weakEtag } from '../../src/core/etag.js';
import { seeded } from '../support/seeded.js';

const texts = [
  '',
  'a',
  'Hello World!',
  '{"a":1}',
  'é',
  '日本',
  '🎉',
  '\ud83c broken',
  '\0',
  'x'.repeat(1024),
  'x'.repeat(1025),
  'é'.repeat(5000),
];

test('the tag of a text has the bytes of the etag package', () => {
  for (const text of texts) {
    // Three times: the first computes the hash, the second stores the result, the third uses it.
    for (let round = 0; round < 3; round += 1) {
      assert.equal(strongEtag(text), etag(Buffer.from(text)));
      assert.equal(weakEtag(text), etag(Buffer.from(text), { weak: true }));
    }
  }
});

test('the tag of bytes has the bytes of the etag package', () => {
  for (const text of texts) {
    assert.equal(strongEtag(Buffer.from(text)), etag(Buffer.from(text)));
    assert.equal(weakEtag(new Uint8Array(Buffer.from(text))), etag(Buffer.from(text), { weak: true }));
  }
});

test('the tag of a text in another encoding is that of its bytes', () => {
  assert.equal(strongEtag('é', 'latin1'), etag(Buffer.from('é', 'latin1')));
  assert.equal(strongEtag('é', 'utf8'), etag('é'));
});

test('the tags of many texts are those of the etag package, for short and long texts', () => {
  for (let number = 0; number < 300; number += 1) {
    const text = `{"number":${number},"text":"é ${'x'.repeat(number)}"}`;
    assert.equal(strongEtag(text), etag(text));
    assert.equal(strongEtag(Buffer.from(text)), etag(text));
  }
});

test('texts that share a place in memory keep their own tags', () => {
  const random = seeded(7);
  const some = Array.from({ length: 400 }, () =>
    String.fromCharCode(...Array.from({ length: random.below(6) + 1 }, () => 97 + random.below(3))),
  );
  for (let round = 0; round < 4000; round += 1) {
    const text = random.pick(some);
    assert.equal(strongEtag(text), etag(text));
  }
});

test('a value without bytes has no tag', () => {
  assert.throws(() => strongEtag(1n as unknown as string), TypeError);
  assert.throws(() => strongEtag((() => 1) as unknown as string), TypeError);
});
