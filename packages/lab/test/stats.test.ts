import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { median, middleSpread, rotated, spread } from '../src/stats.js';

describe('median', () => {
  const cases: readonly (readonly [values: readonly number[], middle: number])[] = [
    [[4], 4],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[100, 9, 10], 10],
    [[-1, -3, -2], -2],
  ];
  for (const [values, middle] of cases) {
    test(`of ${values.join(', ')} is ${middle}`, () => assert.equal(median(values), middle));
  }

  test('does not change the values', () => {
    const values = [3, 1, 2];
    median(values);
    assert.deepEqual(values, [3, 1, 2]);
  });

  test('of no values is an error, not a number', () => {
    assert.throws(() => median([]), RangeError);
  });
});

describe('spread', () => {
  test('is the range as a share of the median', () => {
    assert.equal(spread([9, 10, 11]), 0.2);
    assert.equal(spread([7, 7, 7]), 0);
    assert.equal(spread([0, 0]), 0);
  });
});

describe('the spread of the middle half', () => {
  const cases: readonly (readonly [values: readonly number[], share: number])[] = [
    [[10], 0],
    [[8, 10, 12], 0.4],
    [[100, 9, 10, 11, 1], 0.2],
    [[100, 9, 10, 11, 1, 10, 10, 10, 10], 0],
    [[0, 0], 0],
  ];
  for (const [values, share] of cases) {
    test(`of ${values.join(', ')} is ${share}`, () => assert.equal(middleSpread(values), share));
  }
});

describe('the order of contestants', () => {
  test('lets each go first in turn', () => {
    const orders = [0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''));
    assert.deepEqual(orders, ['abc', 'bca', 'cab', 'abc']);
  });

  test('of no contestants is empty', () => assert.deepEqual(rotated([], 2), []));
});
