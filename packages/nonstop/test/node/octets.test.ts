import assert = require('node:assert/strict');
import { test } from 'node:test';
import {
  MISSING_SLICES,
  asBuffer,
  bufferOf,
  copyOf,
  isAllOfRead,
  joinOctets,
  latin1,
  octetsOf,
  viewOctets,
} from '../../src/node/octets.js';

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

test('the octets of a text, a copy and a sum of octets have their memory for themselves', () => {
  const all = Buffer.from(every);
  const made = {
    octetsOf: octetsOf(all.toString('latin1')),
    copyOf: copyOf(Buffer.from([1, ...every, 2]), 1, 257),
    joinOctets: joinOctets(all.subarray(0, 100), all.subarray(100)),
  };
  for (const [name, octets] of Object.entries(made)) {
    assert.deepEqual(octets, all, name);
    assert.equal(octets.buffer.byteLength, 256, name);
    assert.notEqual(octets.buffer, all.buffer, name);
  }
  assert.equal(joinOctets(null, all), all);
});

test('octets are all of a read only if they are a view of all of its memory', () => {
  assert.equal(isAllOfRead(viewOctets(every.buffer, 256)), true);
  assert.equal(isAllOfRead(viewOctets(every.buffer, 255)), false);
  assert.equal(isAllOfRead(Buffer.from(every.buffer)), false, 'of a program');
});

test('octets in another array get the methods of a Buffer, in the same memory', () => {
  const octets = asBuffer(new Uint8Array(every.buffer, 65, 3));
  assert.equal(String(octets), 'ABC');
  assert.equal(octets.buffer, every.buffer);
  assert.equal(asBuffer(octets), octets);
});
