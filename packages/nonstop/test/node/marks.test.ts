import assert = require('node:assert/strict');
import fs = require('node:fs');
import { test } from 'node:test';
import { hasMark } from '../../src/node/marks.js';

test('a function of node has the text of its source, and a function around it has not', () => {
  const { stat } = fs;
  assert.equal(hasMark(stat, 'binding.stat('), true);
  assert.equal(
    hasMark((...args: Parameters<typeof stat>) => stat(...args), 'binding.stat('),
    false,
  );
  assert.equal(hasMark(undefined, 'binding.stat('), false);
});
