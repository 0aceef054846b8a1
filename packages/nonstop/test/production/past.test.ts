import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Metric } from '../../src/production/metrics.js';
import { Past } from '../../src/production/past.js';

type Values = Metric['values'];

const metric = (type: Metric['type'], values: Values, more: Partial<Metric> = {}): Metric => ({
  name: `a_${type}`,
  help: 'x',
  type,
  aggregator: 'sum',
  values,
  ...more,
});

/** What is kept of metrics that two processes had when they ended. */
function kept(...processes: readonly Metric[][]): Metric[] {
  const past = new Past();
  for (const metrics of processes) past.add(metrics);
  return past.all();
}

test('the counters of ended processes are added up by their labels, in whatever order these are', () => {
  const first = metric('counter', [
    { labels: { method: 'GET', status: 200 }, value: 1 },
    { labels: { method: 'GET', status: 404 }, value: 10 },
  ]);
  const second = metric('counter', [
    { labels: { status: 200, method: 'GET' }, value: 2 },
    { labels: { status: '200', method: 'GET' }, value: 100 },
  ]);
  const sum = metric('counter', [
    { labels: { method: 'GET', status: 200 }, value: 3 },
    { labels: { method: 'GET', status: 404 }, value: 10 },
    { labels: { status: '200', method: 'GET' }, value: 100 },
  ]);
  assert.deepEqual(kept([first], [second]), [sum]);
});

test('the buckets, the sum and the count of a histogram are each added up', () => {
  const histogram = (bucket: number, sum: number, count: number): Metric =>
    metric('histogram', [
      { labels: { le: 1 }, value: bucket, metricName: 'a_bucket' },
      { labels: {}, value: sum, metricName: 'a_sum' },
      { labels: {}, value: count, metricName: 'a_count' },
    ]);
  assert.deepEqual(kept([histogram(1, 2, 3)], [histogram(10, 20, 30)]), [histogram(11, 22, 33)]);
});

test('of a summary only the sum and the count are kept: quantiles cannot be added up', () => {
  const summed: Values = [
    { labels: {}, value: 7, metricName: 'a_sum' },
    { labels: {}, value: 2, metricName: 'a_count' },
  ];
  const quantile = { labels: { quantile: 0.5 }, value: 3 };
  assert.deepEqual(kept([metric('summary', [quantile, ...summed])]), [metric('summary', summed)]);
});

test('gauges end with their process, and so do counters that are not sums', () => {
  const values: Values = [{ labels: {}, value: 1 }];
  assert.deepEqual(kept([metric('gauge', values), metric('counter', values, { aggregator: 'max' })]), []);
  // prom-client adds up a metric that names no aggregator.
  const unnamed = metric('counter', values, { aggregator: undefined as never });
  assert.deepEqual(kept([unnamed]), [unnamed]);
});
