import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { parseCoreList, pinned } from '../src/cores.js';

describe('the cores that a process may use', () => {
  const cases: readonly (readonly [list: string, cores: readonly number[]])[] = [
    ['0-1', [0, 1]],
    ['3', [3]],
    ['0-2,5,8-9\n', [0, 1, 2, 5, 8, 9]],
    ['', []],
  ];
  for (const [list, cores] of cases) {
    test(`'${list.trim()}' is ${cores.join(', ') || 'none'}`, () => assert.deepEqual(parseCoreList(list), cores));
  }
});

test('a command is pinned to a core with taskset, or unchanged', () => {
  assert.deepEqual(pinned(1, 'node', ['a.js']), ['taskset', ['-c', '1', 'node', 'a.js']]);
  assert.deepEqual(pinned(undefined, 'node', ['a.js']), ['node', ['a.js']]);
});
