import assert = require('node:assert/strict');
import fs = require('node:fs');
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ENGINES,
  WireError,
  destroyedError,
  http2StatusError,
  requestTimeoutError,
  unknownEngineError,
} from '../../src/core/errors.js';
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

for (const [error, text] of [
  [requestTimeoutError(), 'Error [ERR_HTTP_REQUEST_TIMEOUT]: Request timeout'],
  [destroyedError('end'), 'Error [ERR_STREAM_DESTROYED]: Cannot call end after a stream was destroyed'],
  [http2StatusError(7), 'RangeError [ERR_HTTP2_STATUS_INVALID]: Invalid status code: 7'],
] as const) {
  test(`an error of node's reads as node's: ${text}`, () => {
    assert.equal(String(error), text);
    assert.ok(error.stack!.startsWith(`${text}\n    at `), error.stack);
    assert.ok(inspect(error).startsWith(`${text}\n    at `), inspect(error));
    assert.deepEqual(Object.getOwnPropertyNames(error), ['stack', 'message', 'code']);
    assert.equal(error.name, text.split(' ')[0]);
    assert.equal(error.constructor.name, error.name);
    assert.ok(!Object.hasOwn(Object.getPrototypeOf(error) as object, 'name'));
  });
}

test("a refused message has no frames, as node's, and the end of a stream has", () => {
  const refused = new WireError('HPE_INVALID_METHOD', 'Invalid method encountered');
  assert.equal(refused.stack, 'Error: Parse Error: Invalid method encountered');
  const ended = new WireError('HPE_INVALID_EOF_STATE', 'Invalid EOF state');
  assert.ok(ended.stack!.startsWith('Error: Parse Error\n    at '), ended.stack);
  for (const error of [refused, ended])
    assert.deepEqual(Object.getOwnPropertyNames(error), ['stack', 'message', 'bytesParsed', 'code', 'reason']);
});
