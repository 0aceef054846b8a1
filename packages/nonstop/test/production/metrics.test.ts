import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedSymbol } from '../../src/core/shared.js';
import { Measurements } from '../../src/production/metrics.js';
import { Traffic, type Ended } from '../../src/production/traffic.js';

const kPosition = sharedSymbol('position');

/** The record of a request that was handled by the route with this pattern. */
function ended(pattern: string, method = 'GET', aborted = false): Ended {
  const req = { method, route: { path: pattern }, [kPosition]: { pattern, url: pattern, outer: undefined } };
  return { req, res: { statusCode: 200 }, start: performance.now(), aborted } as unknown as Ended;
}

/** The counts of requests, by their labels. */
function counts(measurements: Measurements): Map<string, number> {
  const durations = measurements.snapshot().find(({ type }) => type === 'histogram')!;
  const counted = durations.values.filter(({ metricName }) => metricName?.endsWith('_count'));
  return new Map(counted.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
}

test('a program that makes routes while it runs does not fill memory: after 1,000 patterns all others count as one', () => {
  const measurements = new Measurements(new Traffic());
  for (let i = 0; i < 1010; i++) measurements.ended(ended(`/route/${i}`));
  measurements.ended(ended('/route/0'));
  const counted = counts(measurements);
  assert.deepEqual([counted.get('GET /route/0 200'), counted.get('GET /route/999 200')], [2, 1]);
  assert.deepEqual([counted.get('GET other 200'), counted.size], [10, 1001]);
});

test('methods that node does not know count as one: a program may write any text to req.method', () => {
  const measurements = new Measurements(new Traffic());
  for (const method of ['GET', 'one', 'two']) measurements.ended(ended('/', method));
  assert.deepEqual(
    [...counts(measurements)],
    [
      ['GET / 200', 1],
      ['other / 200', 2],
    ],
  );
});

test('a request whose client went away counts as 499, whatever its status was', () => {
  const measurements = new Measurements(new Traffic());
  measurements.ended(ended('/', 'GET', true));
  assert.deepEqual([...counts(measurements)], [['GET / 499', 1]]);
  const aborted = measurements.snapshot().find(({ name }) => name === 'nonstop_http_requests_aborted_total');
  assert.deepEqual(aborted?.values, [{ labels: {}, value: 1 }]);
});
