import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { axisFor, placeOf } from '../../client/src/logic/axis.js';
import { compare, compared, lessTime } from '../../client/src/logic/comparison.js';
import type { Published, Sample, Verb } from '../../client/src/logic/contract.js';
import {
  asHeading,
  bytes,
  duration,
  milliseconds,
  percent,
  percentWithin,
  withDeviation,
} from '../../client/src/logic/format.js';
import { rows, summarize, together } from '../../client/src/logic/statistics.js';

const sample = (contestant: string, verb: Verb, clientMs: number, serverMs = clientMs / 2): Sample => ({
  contestant,
  shape: 'string',
  verb,
  repetition: 0,
  clientMs,
  serverMs,
});

describe('a summary', () => {
  test('has the mean and the standard deviation of a sample', () => {
    // 2, 4, 4, 4, 5, 5, 7, 9: the squared distances from 5 add up to 32; divided by 7.
    assert.deepEqual(summarize([9, 2, 4, 4, 5, 4, 7, 5]), {
      count: 8,
      mean: 5,
      deviation: Math.sqrt(32 / 7),
      median: 4.5,
      least: 2,
      most: 9,
    });
  });

  test('of one has no deviation', () => {
    assert.deepEqual(summarize([3]), { count: 1, mean: 3, deviation: undefined, median: 3, least: 3, most: 3 });
  });

  test('of no values is an error, not a number', () => assert.throws(() => summarize([]), RangeError));

  test('does not change the times', () => {
    const times = [3, 1, 2];
    summarize(times);
    assert.deepEqual(times, [3, 1, 2]);
  });
});

describe('the rows of pictures and tables', () => {
  const samples = [sample('b', 'GET', 4), sample('a', 'GET', 2), sample('b', 'POST', 9), sample('a', 'GET', 4)];

  test('come in the wanted order, and only if something was measured', () => {
    const found = rows(samples, { contestants: ['a', 'b', 'c'], shapes: ['string', 'array'], verbs: ['POST', 'GET'] });
    assert.deepEqual(
      found.map(({ contestant, verb, client, server }) => [verb, contestant, client.count, client.mean, server.mean]),
      [
        ['POST', 'b', 1, 9, 4.5],
        ['GET', 'a', 2, 3, 1.5],
        ['GET', 'b', 1, 4, 2],
      ],
    );
  });

  test('of no samples are none', () => {
    assert.deepEqual(rows([], { contestants: ['a'], shapes: ['string'], verbs: ['GET'] }), []);
  });
});

describe('the verbs of a repetition together', () => {
  const order = { contestants: ['a', 'b'], shapes: ['string'], verbs: ['GET', 'PUT'] as Verb[] };
  const life = (contestant: string, repetition: number, get: number, put: number): Sample[] => [
    { ...sample(contestant, 'GET', get), repetition },
    { ...sample(contestant, 'PUT', put), repetition },
  ];

  test('are added up, without incomplete repetitions', () => {
    const samples = [...life('a', 0, 1, 2), ...life('a', 1, 3, 4), { ...sample('a', 'GET', 100), repetition: 2 }];
    const [row, ...others] = together(samples, order);
    assert.deepEqual(others, []);
    assert.deepEqual([row.verb, row.contestant, row.client.count], ['all', 'a', 2]);
    assert.deepEqual([row.client.mean, row.server.mean], [5, 2.5]);
    // 3 and 7.
    assert.equal(row.client.deviation, Math.sqrt(8));
  });

  test('are absent if there is one verb', () => {
    assert.deepEqual(together([sample('a', 'GET', 1)], { ...order, verbs: ['GET'] }), []);
  });
});

describe('the saved time', () => {
  test('is within two standard errors of both', () => {
    // Relative errors: 1/8/2 and 2/10/2 over four samples each.
    const own = { ...summarize([8]), count: 4, deviation: 1 };
    const { percent, within } = lessTime(own, { ...summarize([10]), count: 4, deviation: 2 });
    assert.equal(percent.toFixed(6), '20.000000');
    assert.equal(within?.toFixed(6), (2 * 0.8 * Math.hypot(1 / 16, 1 / 10) * 100).toFixed(6));
  });

  test('of single samples has no known error', () => {
    assert.equal(lessTime(summarize([1]), summarize([2])).within, undefined);
  });

  test('is absent if a coarse clock has measured no time', () => {
    assert.deepEqual(lessTime(summarize([0, 0]), summarize([0, 1])), { percent: 0, within: undefined });
  });
});

describe('the comparison with the paper', () => {
  const published: Published = { shape: 'string', of: 'Express', against: 'Hapi', words: '', low: 14, high: 20 };
  const order = { contestants: ['Express 5', 'Hapi', 'Koa', 'Nonstop'], shapes: ['string'], verbs: ['GET'] as Verb[] };
  const measured = rows(
    [
      sample('Express 5', 'GET', 8, 3),
      sample('Hapi', 'GET', 10, 2),
      sample('Koa', 'GET', 1),
      sample('Nonstop', 'GET', 5, 1),
    ],
    order,
  );

  test('has the same contestants, with Nonstop instead of the better one', () => {
    const found = compare([published], measured, 'client');
    assert.deepEqual(
      found.map(({ of, against, verb, percent }) => [of, against, verb, Math.round(percent)]),
      [
        ['Express 5', 'Hapi', 'GET', 20],
        ['Nonstop', 'Hapi', 'GET', 50],
      ],
    );
  });

  test('is below zero for more time', () => {
    const [express] = compare([published], measured, 'server');
    assert.equal(Math.round(express.percent), -50);
  });

  test('is empty without the other contestant, or for another shape', () => {
    assert.deepEqual(
      compare(
        [published],
        measured.filter(({ contestant }) => contestant !== 'Hapi'),
        'client',
      ),
      [],
    );
    assert.deepEqual(compare([{ ...published, shape: 'array' }], measured, 'client'), []);
  });

  test('names its contestants before anything is measured', () => {
    assert.deepEqual(compared(published, order.contestants), ['Express 5', 'Nonstop']);
    assert.deepEqual(compared(published, ['Express 5', 'Nonstop']), []);
    assert.deepEqual(compared(published, ['Hapi', 'Express', 'Expressive 5']), ['Express']);
  });
});

describe('an axis', () => {
  const cases: readonly (readonly [values: readonly number[], parts: number, ticks: readonly number[]])[] = [
    [[3.2, 9], 5, [0, 2, 4, 6, 8, 10]],
    [[0.31], 3, [0, 0.2, 0.4]],
    [[0.3], 3, [0, 0.1, 0.2, 0.3]],
    [[-12, 33], 5, [-20, -10, 0, 10, 20, 30, 40]],
    [[1234], 4, [0, 500, 1000, 1500]],
    [[], 2, [0, 0.5, 1]],
    [[0, 0], 2, [0, 0.5, 1]],
  ];
  for (const [values, parts, ticks] of cases) {
    test(`for ${values.join(' and ') || 'nothing'} has the ticks ${ticks.join(', ')}`, () => {
      const axis = axisFor(values, parts);
      assert.deepEqual(axis.ticks, ticks);
      for (const value of values) assert.ok(placeOf(value, axis) >= 0 && placeOf(value, axis) <= 1);
      assert.ok(axis.ticks.includes(0));
    });
  }

  test('has its ends at 0 and 1', () => {
    const axis = axisFor([-5, 5], 2);
    assert.deepEqual(
      [axis.low, 0, axis.high].map((value) => placeOf(value, axis)),
      [0, 0.5, 1],
    );
  });
});

describe('figures in words', () => {
  test('milliseconds have three significant digits', () => {
    assert.deepEqual([0.1234, 4.567, 45.67, 456.7, 4567].map(milliseconds), ['0.123', '4.57', '45.7', '457', '4,567']);
  });

  test('a deviation has as many decimals as its mean', () => {
    assert.equal(withDeviation(4.567, 0.1), '4.57 ± 0.10');
    assert.equal(withDeviation(456.7, 12.3), '457 ± 12');
    assert.equal(withDeviation(4.567, undefined), '4.57');
  });

  test('a share has its sign', () => {
    assert.deepEqual([12.4, -3.6, 0, -0.2].map(percent), ['+12 %', '−4 %', '0 %', '0 %']);
  });

  test('a share has its error beside it', () => {
    assert.deepEqual([percentWithin(12.4, 4.6), percentWithin(-3, undefined)], ['+12 % ± 5', '−3 %']);
  });

  test('durations are rounded', () => {
    const found = [400, 12_300, 59_400, 61_000, 130_000, 3_600_000, 5_400_000].map(duration);
    assert.deepEqual(found, [
      'about a second',
      'about 12 seconds',
      'about 59 seconds',
      'about a minute',
      'about 2 minutes',
      '1 h 0 min',
      '1 h 30 min',
    ]);
  });

  test('sizes are in bytes and kilobytes', () => {
    assert.deepEqual([999, 1010, 11_490, 147_000].map(bytes), ['999 B', '1.0 kB', '11 kB', '147 kB']);
  });

  test('a title loses its article', () => {
    const titles = ['a string', 'an array of 50', 'Anchors', 'x'].map(asHeading);
    assert.deepEqual(titles, ['String', 'Array of 50', 'Anchors', 'X']);
  });
});
