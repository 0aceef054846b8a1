import assert = require('node:assert/strict');
import { test } from 'node:test';
import { memo } from '../../src/core/memo.js';

function counting(seed: [string, string][] = []): { calls: string[]; of: (key: string) => string } {
  const calls: string[] = [];
  const of = memo((key) => {
    calls.push(key);
    if (key === 'bad') throw new Error('bad');
    return `<${key}>`;
  }, seed);
  return { calls, of };
}

test('a result is computed once', () => {
  const { calls, of } = counting();
  assert.deepEqual([of('a'), of('a'), of('b')], ['<a>', '<a>', '<b>']);
  assert.deepEqual(calls, ['a', 'b']);
});

test('a seed is never computed, not even after the table was emptied', () => {
  const { calls, of } = counting([['seed', 'given']]);
  for (let i = 0; i < 1000; i += 1) of(`key ${i}`);
  assert.equal(of('seed'), 'given');
  assert.equal(calls.includes('seed'), false);
});

test('a computation that threw is tried again', () => {
  const { calls, of } = counting();
  assert.throws(() => of('bad'), /bad/);
  assert.throws(() => of('bad'), /bad/);
  assert.equal(calls.length, 2);
});

test('neither many keys nor long ones are kept', () => {
  const { calls, of } = counting();
  const long = 'x'.repeat(200);
  of(long);
  of(long);
  assert.equal(calls.length, 2);
  of('first');
  for (let i = 0; i < 256; i += 1) of(`key ${i}`);
  of('first');
  assert.equal(calls.filter((key) => key === 'first').length, 2);
});
