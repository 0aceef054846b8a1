import assert = require('node:assert/strict');
import fs = require('node:fs');
import { test } from 'node:test';
import { ENGINES, unknownEngineError } from '../../src/core/errors.js';
import { inRepo } from '../support/paths.js';

test('an unknown engine is a TypeError with a code, which names the known ones', () => {
  const error = unknownEngineError('NONSTOP_ENGINE', 'nodee');
  assert.ok(error instanceof TypeError);
  assert.equal(error.code, 'ERR_NONSTOP_ENGINE');
  for (const name of ENGINES) assert.ok(error.message.includes(`'${name}'`));
  assert.match(unknownEngineError('The setting', { toString: () => 'x' }).message, /^The setting is x, and must be /);
});

test('the reference has the code and every name', () => {
  const text = fs.readFileSync(inRepo('docs/reference/settings.md'), 'utf8');
  for (const word of ['ERR_NONSTOP_ENGINE', ...ENGINES]) assert.ok(text.includes(`\`${word}\``), word);
});
