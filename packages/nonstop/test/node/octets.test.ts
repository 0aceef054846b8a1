import assert = require('node:assert/strict');
import { test } from 'node:test';
import { MISSING_SLICES, bufferOf, latin1, viewOctets } from '../../src/node/octets.js';

const every = Uint8Array.from({ length: 256 }, (_, octet) => octet);

test('octets are read as a string of the same length', () => {
  assert.deepEqual(MISSING_SLICES, []);
  const view = viewOctets(every.buffer, 256);
  const text = Buffer.from(every).toString('latin1');
  assert.equal(latin1(view, 0, 256), text);
  assert.equal(latin1(view, 10, 200), text.slice(10, 200));
  assert.equal(latin1(Buffer.from(every), 0, 256), text);
});

test('a view has the methods of a Buffer, and slices of it are Buffers', () => {
  const view = viewOctets(every.buffer, 100);
  assert.equal(view.length, 100);
  assert.equal(view.indexOf(99), 99);
  const real = bufferOf(view, 65, 68);
  assert.equal(Object.getPrototypeOf(real), Buffer.prototype);
  assert.equal(String(real), 'ABC');
  assert.equal(real.buffer, every.buffer);
  assert.equal(String(bufferOf(Buffer.from(every.buffer, 65, 10), 1, 3)), 'BC');
});
