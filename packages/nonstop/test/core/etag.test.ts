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

// Texts of one length with the same characters in the middle and at the end share the place of the last tag.
test('texts whose tags begin alike have their own tags', () => {
  const tagOf = (text: string): string => etag(Buffer.from(text), { weak: true });
  const byStart = new Map<string, string>();
  let pairs = 0;
  for (let n = 1000; n < 4000; n++) {
    const text = `${n} and no more`;
    const start = tagOf(text).slice(0, 'W/"10-ab'.length);
    const other = byStart.get(start);
    byStart.set(start, text);
    if (other === undefined) continue;
    pairs++;
    for (const each of [other, text, text, other, other, text]) assert.equal(weakEtag(each), tagOf(each));
  }
  assert.ok(pairs > 100, `${pairs} pairs`);
});
