import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import type { Sample } from '../src/measure.js';
import { ratio, summarise } from '../src/summary.js';
import { table } from '../src/table.js';

const sample = (contestant: string, cpu: number, change: Partial<Sample> = {}): Sample => ({
  scenario: 'hello',
  contestant,
  node: 'v20.0.0',
  connections: 50,
  round: 0,
  requests: 1000,
  seconds: 0.5,
  p50: 1,
  p99: 9,
  cpu,
  rss: 64 * 2 ** 20,
  ...change,
});

const samples = [
  ...[10, 30, 11].map((cpu, round) => sample('node:http', cpu, { round })),
  ...[80, 70, 76].map((cpu, round) => sample('Express 5', cpu, { round })),
  sample('node:http', 5, { node: 'v26.0.0' }),
];

describe('the summary', () => {
  const rows = summarise(samples);

  test('has a row for each contestant, scenario and Node, in the order of their appearance', () => {
    const names = rows.map(({ node, contestant, rounds }) => [node, contestant, rounds]);
    assert.deepEqual(names, [
      ['v20.0.0', 'node:http', 3],
      ['v20.0.0', 'Express 5', 3],
      ['v26.0.0', 'node:http', 1],
    ]);
  });

  test('takes the median of each column', () => {
    const [{ cpu, perSecond, busy }] = rows;
    assert.deepEqual({ cpu, perSecond, busy }, { cpu: 11, perSecond: 2000, busy: 0.022 });
  });

  test('does not give the spread of one round', () => {
    const lines = table(rows, []).split('\n');
    assert.match(lines[2], / 182 % \|/);
    assert.match(lines[4], / one round \|/);
  });

  test('compares within one Node', () => {
    assert.equal(ratio(rows[0], rows, 'Express 5'), 11 / 76);
    assert.equal(ratio(rows[2], rows, 'node:http'), 1);
    assert.equal(ratio(rows[2], rows, 'Express 5'), undefined);
  });

  test('compares within one number of connections', () => {
    const more = [sample('node:http', 10, { connections: 1 }), sample('Express 5', 40, { connections: 1 })];
    const both = summarise([...samples, ...more]);
    assert.equal(both.length, 5);
    assert.equal(ratio(both[3], both, 'Express 5'), 0.25);
  });

  test('compares by other figures', () => {
    assert.equal(ratio(rows[0], rows, 'Express 5', 'rss'), 1);
  });
});

describe('the table', () => {
  const failure = { scenario: 'hello', contestant: 'Other', node: 'v20.0.0', problem: 'ended (SIGSEGV)' };
  const lines = table(summarise(samples), [failure]).split('\n');

  test('has a line for each row, all of one width', () => {
    const widths = new Set(lines.slice(0, 5).map((line) => line.length));
    assert.equal(widths.size, 1);
    assert.match(
      lines[2],
      /^\| v20\.0\.0 \| hello +\| node:http +\| +50 \| +2,000 \| +1\.00 \| +9\.00 \| +11\.00 \| +182 % \|/,
    );
  });

  test('leaves a ratio empty if there is nothing to compare with', () => {
    assert.match(lines[4], /\| +1\.00 \| +\|$/);
  });

  test('divides by Express 4 where there is no Express 5', () => {
    const titles = (...names: string[]): string =>
      table(summarise(names.map((name) => sample(name, 10))), []).split('\n')[0];
    assert.match(titles('Express 4', 'Nonstop'), /RSS MB \| ÷ Express 4 \|$/);
    assert.match(titles('Express 4', 'Express 5', 'Nonstop'), /RSS MB \| ÷ Express 5 \|$/);
  });

  test('names what failed', () => {
    assert.equal(lines.at(-1), 'Other failed in hello on Node v20.0.0: ended (SIGSEGV)');
  });

  const sizes = [150, 120, 100, 80, 70];
  for (const width of sizes) {
    test(`leaves out columns that do not fit in ${width} characters, and names them`, () => {
      const [one] = samples;
      const rows = summarise([one, sample('Express 5', 70), sample('Nonstop', 7)]);
      const narrow = table(rows, [], width).split('\n');
      assert.ok(narrow.slice(0, 4).every((line) => line.startsWith('| ') && line.length <= width));
      const left = /^No place for: (.*)\. The record has all of it\.$/.exec(narrow.at(-1) ?? '')?.[1].split(', ') ?? [];
      const titles = narrow[0].split('|').slice(1, -1);
      assert.equal(titles.length + left.length, 13);
      for (const title of ['workload', 'contestant', 'CPU µs/request', '÷ Express 5'])
        assert.ok(titles.some((shown) => shown.trim() === title));
    });
  }

  const comparisons: readonly (readonly [contestants: readonly string[], titles: readonly string[]])[] = [
    [['Express 5', 'Nonstop'], ['÷ Express 5']],
    [['node:http2', 'Nonstop'], ['÷ node:http']],
    [['Nonstop'], []],
  ];
  for (const [contestants, expected] of comparisons) {
    test(`compares ${contestants.join(' and ')} by ${expected.join() || 'nothing'}: other ratios have no column`, () => {
      const [head] = table(summarise(contestants.map((name) => sample(name, 7))), []).split('\n');
      const titles = head.split('|').map((title) => title.trim());
      assert.deepEqual(
        titles.filter((title) => title.startsWith('÷')),
        expected,
      );
    });
  }

  test('keeps the columns that distinguish rows, at any width', () => {
    const titles = table(summarise(samples), [], 10).split('\n')[0];
    assert.deepEqual(
      titles.split('|').map((title) => title.trim()),
      ['', 'Node', 'workload', 'contestant', 'CPU µs/request', '÷ node:http', '÷ Express 5', ''],
    );
  });
});
