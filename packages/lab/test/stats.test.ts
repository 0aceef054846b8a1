import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { balanced, median, medianInterval, middleSpread, rotated, spread } from '../src/stats.js';

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

describe('the interval of the median', () => {
  const ordered = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1).reverse();
  // The bounds by the binomial distribution: the chance that the median of the population is outside is below 7 %.
  const cases: readonly (readonly [values: readonly number[], interval: readonly [number, number]])[] = [
    [[3], [1, 1]],
    [ordered(5), [1, 5]],
    [ordered(8), [1, 8]],
    [ordered(9), [2, 8]],
    [ordered(11), [3, 9]],
    [ordered(15), [4, 12]],
    [ordered(100), [41, 60]],
  ];
  for (const [values, [lowest, highest]] of cases) {
    test(`of ${values.length} values goes from number ${lowest} to ${highest}`, () => {
      assert.deepEqual(medianInterval(values), [values.at(-lowest), values.at(-highest)]);
    });
  }

  test('of no values is an error', () => assert.throws(() => medianInterval([]), RangeError));
});

describe('the order of contestants', () => {
  test('lets each go first in turn', () => {
    const orders = [0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''));
    assert.deepEqual(orders, ['abc', 'bca', 'cab', 'abc']);
  });

  test('of no contestants is empty', () => assert.deepEqual(rotated([], 2), []));
});

describe('the balanced order', () => {
  for (const count of [1, 2, 3, 4, 5, 6, 7]) {
    const contestants = Array.from({ length: count }, (_, place) => place);
    const rounds = count % 2 === 1 ? 2 * count : count;
    const orders = Array.from({ length: rounds }, (_, round) => balanced(contestants, round));

    test(`of ${count} has each contestant in each position equally often`, () => {
      for (const one of orders)
        assert.deepEqual(
          one.toSorted((a, b) => a - b),
          contestants,
        );
      const places = orders.flatMap((one) => one.map((contestant, place) => `${contestant} at ${place}`));
      assert.deepEqual(new Set(timesOf(places).values()), new Set([rounds / count]));
      assert.equal(timesOf(places).size, count * count);
    });

    test(`of ${count} has each contestant after each other one equally often`, () => {
      const pairs = orders.flatMap((one) =>
        one.slice(1).map((contestant, place) => `${contestant} after ${one[place]}`),
      );
      assert.equal(timesOf(pairs).size, count * (count - 1));
      assert.ok(new Set(timesOf(pairs).values()).size <= 1, JSON.stringify([...timesOf(pairs)]));
    });
  }

  test('of no contestants is empty', () => assert.deepEqual(balanced([], 3), []));
});

function timesOf(values: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
}
