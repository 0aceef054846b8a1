import assert = require('node:assert/strict');
import { test } from 'node:test';
import { inOnePiece, noteLength, ownString, utf8Length } from '../../src/core/strings.js';

test('a copy of a part of any length is equal to it, with any characters', () => {
  for (const letters of ['abcdefgh', '\xe9\xff\x00', '€ü', '😀']) {
    for (let length = 0; length < 40; length++) {
      const whole = letters.repeat(60);
      assert.equal(ownString(whole.slice(3, 3 + length)), whole.substring(3, 3 + length));
    }
  }
});

test('a copy in one piece is equal to the text, for each octet of latin1', () => {
  const every = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet));
  assert.equal(inOnePiece(every), every);
  assert.equal(inOnePiece(''), '');
});

test('a copy in one piece is the text while a test suite has replaced what a Buffer is made with', (t) => {
  const { from } = Buffer;
  const { toString } = Buffer.prototype;
  t.after(() => {
    Object.assign(Buffer, { from });
    Object.assign(Buffer.prototype, { toString });
  });
  const other = from('another');
  Object.assign(Buffer, { from: () => other });
  const whileFrom = inOnePiece('a text of a head');
  Object.assign(Buffer, { from });
  Object.assign(Buffer.prototype, { toString: () => 'another' });
  const whileToString = inOnePiece('a text of a head');
  Object.assign(Buffer.prototype, { toString });
  assert.deepEqual([whileFrom, whileToString], ['a text of a head', 'a text of a head']);
});

// Texts of the same length in characters, or in octets, follow one another.
test("a text's length in octets does not depend on the text that is noted", () => {
  const texts: string[] = [];
  for (const length of [0, 1, 63, 64, 65, 66, 400, 1025]) {
    for (const letter of ['a', 'b', '\xe9', '\u20ac']) {
      texts.push(letter.repeat(length), 'c'.repeat(Math.max(length - 1, 0)) + letter.slice(0, length));
    }
  }
  for (const noted of texts) {
    noteLength(noted, Buffer.from(noted).length);
    for (const text of texts) assert.equal(utf8Length(text), Buffer.from(text).length);
  }
  noteLength('', 0);
});
