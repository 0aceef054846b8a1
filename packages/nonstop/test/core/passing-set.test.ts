import assert = require('node:assert/strict');
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PassingSet } from '../../src/core/passing-set.js';

test('a passing set has the members that came and did not go, in their order', () => {
  const set = new PassingSet<number>();
  const model = new Set<number>();
  for (let i = 0; i < 2000; i++) {
    set.add(i);
    model.add(i);
    if (i % 3 !== 0 || i > 1000) {
      const gone = i - (i % 7);
      assert.equal(set.delete(gone), model.delete(gone));
    }
    assert.equal(set.size, model.size);
    assert.equal(set.has(i), model.has(i));
    assert.equal(set.has(i - 5), model.has(i - 5));
  }
  assert.deepEqual([...set], [...model]);
  set.add(0);
  set.add(0);
  assert.deepEqual(
    [...set].filter((member) => member === 0),
    [0],
  );
});

test('a young collection frees the members that have gone, also when the set is old', () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
  const set = new PassingSet<{ payload: number[] }>();
  const pass = (count: number): void => {
    const open: { payload: number[] }[] = [];
    for (let i = 0; i < count; i++) {
      const member = { payload: Array.from({ length: 100 }, (_, at) => at) };
      set.add(member);
      open.push(member);
      if (open.length > 8) set.delete(open.shift()!);
    }
    for (const member of open) set.delete(member);
  };
  pass(20);
  // What is in use after two full collections is in the old space.
  gc();
  gc();
  const before = process.memoryUsage().heapUsed;
  // 1.6 MB, of which a plain set keeps about half.
  pass(2000);
  gc({ type: 'minor' });
  gc({ type: 'minor' });
  const kept = process.memoryUsage().heapUsed - before;
  assert.ok(kept < 400_000, `${kept} octets were kept`);
});
