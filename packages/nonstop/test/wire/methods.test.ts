import assert = require('node:assert/strict');
import http = require('node:http');
import { test } from 'node:test';
import { KNOWN_METHODS } from '../../src/wire/methods.js';

test('the parser knows the methods that the parser of the running Node knows', () => {
  assert.deepEqual([...KNOWN_METHODS].toSorted(), http.METHODS.toSorted());
});
