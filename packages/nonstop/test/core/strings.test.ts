import assert = require('node:assert/strict');
import { test } from 'node:test';
import { ownString } from '../../src/core/strings.js';

test('a copy of a part of any length is equal to it, with any characters', () => {
  for (const letters of ['abcdefgh', '\xe9\xff\x00', '€ü', '😀']) {
    for (let length = 0; length < 40; length++) {
      const whole = letters.repeat(60);
      assert.equal(ownString(whole.slice(3, 3 + length)), whole.substring(3, 3 + length));
    }
  }
});
