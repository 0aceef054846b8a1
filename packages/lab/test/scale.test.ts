import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { ask } from '../src/ask.js';
import { verify } from '../src/measure.js';
import { Peer } from '../src/peer.js';
import { chooseCurves, contestants, curves, scenarioAt, spanOf } from '../src/scale/curves.js';
import { judgeGrowth, type ScaleSample } from '../src/scale/judge.js';
import { scale } from '../src/scale/scale.js';
import { curveCells } from '../src/scale/table.js';
import { attended } from './fixtures/attended.js';
import { sample } from './fixtures/records.js';
import { twenty } from './fixtures/twenty.js';
import { withPeers } from './fixtures/with-peers.js';

const node = { version: process.version, path: process.execPath };

describe('the curves', () => {
  for (const curve of curves) {
    test(`'${curve.name}' grows from point to point, and the judged points are among them`, () => {
      for (const points of [curve.points, curve.quick]) {
        assert.ok(points.length > 1);
        assert.deepEqual(
          points,
          points.toSorted((a, b) => a - b),
        );
        for (const at of points) assert.deepEqual(Object.keys(scenarioAt(curve, at).peers), contestants);
      }
      for (const at of curve.judged?.flat() ?? []) assert.ok(curve.points.includes(at));
      assert.equal(new Set(curve.points.map((at) => scenarioAt(curve, at).name)).size, curve.points.length);
    });
  }

  test('are chosen by name', () => {
    assert.deepEqual(
      chooseCurves(['body', 'routes']).map(({ name }) => name),
      ['body', 'routes'],
    );
    assert.throws(() => chooseCurves(['rows']), /no curve 'rows'; there are routes, middleware, fields/);
  });

  test('of fields have the stated number of bytes, within the limit of node', () => {
    const [fields] = chooseCurves(['fields']);
    for (const at of fields.points) {
      const lines = Object.entries(scenarioAt(fields, at).request.headers ?? {}).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      assert.equal(lines.join('').length, at);
    }
    assert.ok((fields.points.at(-1) ?? 0) < 15_000);
  });

  test('are named in words', () => {
    const [routes, processes] = chooseCurves(['routes', 'processes']);
    assert.equal(spanOf(routes, 1, 10_000), '1 … 10,000 routes');
    assert.equal(spanOf(processes, 0, 1), 'one process … node:cluster, 2 processes');
  });
});

describe('two processes at one port', () => {
  const [processes] = chooseCurves(['processes']);

  test('report the usage of all processes', async () => {
    const [one, several] = [0, 1].map((at) => scenarioAt(processes, at).peers['node:http']);
    const options = { node: node.path, scenario: 'hello' };
    const peers = await Promise.all([one, several].map((source) => Peer.start(source, options)));
    try {
      const [alone, together] = await Promise.all(peers.map((peer) => peer.usage()));
      // The primary and two workers, each its own Node process.
      assert.ok(together.rss > 2 * alone.rss, `${together.rss} of three, ${alone.rss} of one`);
      assert.ok(together.cpu > alone.cpu);
    } finally {
      await Promise.all(peers.map((peer) => peer.stop()));
    }
  });

  test('count their requests by the server that answers', async () => {
    for (const [contestant, expected] of [
      ['Nonstop', { engine: 2, others: 0 }],
      ['node:http', { engine: 0, others: 2 }],
    ] as const) {
      const { peers, request } = scenarioAt(processes, 1);
      const peer = await Peer.start(peers[contestant], { node: node.path, scenario: 'hello' });
      try {
        const served = await peer.servedDuring(async () => {
          for (const _ of [1, 2]) await ask(peer.port, request);
        });
        assert.deepEqual(served, expected, contestant);
      } finally {
        await peer.stop();
      }
    }
  });

  test('need a Node that can share a port', () => {
    const told = (version: string): string | undefined => processes.obstacle?.(2, { version, path: '' });
    assert.match(told('v22.22.0') ?? '', /Node 23\.1/);
    assert.match(told('v23.0.0') ?? '', /Node 23\.1/);
    if (process.platform === 'linux') assert.equal(told('v24.1.0'), undefined);
    assert.equal(processes.obstacle?.(1, { version: 'v20.19.0', path: '' }), undefined);
  });
});

describe('a curve is judged', () => {
  /** Costs of node:http and Nonstop at 1 and at 100, round by round. */
  const costs = (first: [number, number][], last: [number, number][]): ScaleSample[] =>
    [first, last].flatMap((rounds, end) =>
      rounds.flatMap(([plain, own], round) => [
        { ...sample('x', 'node:http', { round, cpu: plain }), curve: 'routes', at: end === 0 ? 1 : 100 },
        { ...sample('x', 'Nonstop', { round, cpu: own }), curve: 'routes', at: end === 0 ? 1 : 100 },
      ]),
    );
  const where = { curve: 'routes', node: 'v24.1.0', from: 1, to: 100 };
  const cases: readonly (readonly [what: string, first: [number, number][], last: [number, number][], said: string])[] =
    [
      [
        'adds more than it does on node:http in all rounds',
        [
          [10, 8],
          [10, 8],
          [10, 8],
        ],
        [
          [11, 10],
          [12, 11],
          [11, 10],
        ],
        'worse',
      ],
      [
        'adds as much, though it grows by a greater factor',
        [
          [10, 5],
          [10, 5],
          [10, 5],
        ],
        [
          [20, 15],
          [20, 15],
          [20, 15],
        ],
        'no difference seen',
      ],
      [
        'adds less',
        [
          [10, 8],
          [10, 8],
          [10, 8],
        ],
        [
          [20, 9],
          [21, 9],
          [22, 9],
        ],
        'better',
      ],
      [
        'adds more by less than the spread',
        [
          [10, 8],
          [10, 9],
          [10, 8],
        ],
        [
          [10, 8],
          [10, 9.5],
          [10, 9],
        ],
        'no difference seen',
      ],
      [
        'adds more, by no greater factor',
        [
          [10, 12],
          [10, 12],
          [10, 12],
        ],
        [
          [100, 120],
          [100, 120],
          [100, 120],
        ],
        'no difference seen',
      ],
      // A machine that is busy for a while slows down both.
      [
        'has rounds that differ alike',
        [
          [10, 8],
          [20, 18],
          [10, 8],
        ],
        [
          [30, 28],
          [10, 8],
          [10, 8],
        ],
        'no difference seen',
      ],
      ['has too few rounds', [[10, 8]], [[10, 12]], 'too few rounds'],
      [
        'has no end',
        [
          [10, 8],
          [10, 8],
          [10, 8],
        ],
        [],
        'not measured',
      ],
    ];
  for (const [what, first, last, said] of cases) {
    test(`'${said}' when it ${what}`, () => {
      assert.equal(judgeGrowth(costs(first, last), where).verdict, said);
    });
  }

  test('by its increase, which is shown with its range', () => {
    const { cost, bend, factor } = judgeGrowth(
      costs(
        [
          [10, 8],
          [10, 8],
          [10, 8.5],
        ],
        [
          [11, 10],
          [12, 11],
          [11, 10],
        ],
      ),
      where,
    );
    assert.deepEqual(cost, { 'node:http': [10, 11], Nonstop: [8, 10] });
    assert.deepEqual(bend, { middle: 1, low: 0.5, high: 1 });
    assert.deepEqual(factor, { middle: 10 / 11 / 0.8, low: 10 / 11 / 0.85, high: 11 / 12 / 0.8 });
  });

  test('without rounds that only one of them has', () => {
    const samples = costs(
      [
        [10, 8],
        [10, 8],
        [10, 8],
      ],
      [
        [10, 9],
        [10, 9],
        [10, 9],
      ],
    );
    const without = samples.filter(({ contestant, at, round }) => contestant === 'Nonstop' || at === 1 || round < 2);
    assert.equal(judgeGrowth(without, where).verdict, 'too few rounds');
  });
});

test('a table has a line for each point, and gaps for failed contestants', () => {
  const [routes] = chooseCurves(['routes']);
  const at = (contestant: string, point: number, cpu: number): ScaleSample => ({
    ...sample('x', contestant, { cpu }),
    curve: 'routes',
    at: point,
  });
  const cells = curveCells(routes, [at('node:http', 10, 8), at('Nonstop', 10, 4), at('Nonstop', 1, 3)]);
  assert.deepEqual(cells.slice(1), [
    ['1', '50', '', '3.00 (0 %)', '', ''],
    ['10', '50', '8.00 (0 %)', '4.00 (0 %)', '0.50', ''],
  ]);
});

describe('the run', () => {
  const settings = {
    rounds: 1,
    seconds: 0.1,
    warmup: 0.1,
    connections: 2,
    settled: 1,
    generator: twenty,
    nodes: [node],
  };

  // One curve of numbers and one of names; the others differ only in the request, which is compared below.
  const names = ['middleware', 'processes'];

  test('takes curves in their shortest form, prints the tables and saves the record', async () => {
    const { record, saved, printed } = await attended((run) =>
      scale({ ...settings, ...run, curves: names, quick: true }),
    );
    assert.equal(record.ended, 'complete', printed);
    assert.deepEqual(record.failures, []);
    const chosen = chooseCurves(names);
    const taken = chosen.flatMap(({ name, quick, obstacle }) =>
      quick
        .filter((at) => obstacle?.(at, node) === undefined)
        .flatMap((at) => contestants.map((contestant) => `${name} ${at} ${contestant}`)),
    );
    assert.deepEqual(
      record.samples.map(({ curve, at, contestant }) => `${curve} ${at} ${contestant}`),
      taken,
    );
    assert.deepEqual([...new Set(record.growths.map(({ verdict }) => verdict))], ['too few rounds']);
    assert.deepEqual([...new Set(record.growths.map(({ curve }) => curve))], names);
    for (const { title } of chosen) assert.ok(printed.includes(title), title);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
  });

  for (const curve of curves.filter(({ name }) => !names.includes(name))) {
    test(`gets equal answers from ${contestants.join(', ')} for '${curve.name}'`, async () => {
      const scenario = scenarioAt(curve, curve.quick.at(-1) ?? 0);
      await withPeers(scenario, (peers) => verify(scenario, peers));
    });
  }

  test('keeps the finished samples when it is interrupted', async () => {
    const interrupt = new AbortController();
    const { record, saved } = await attended((run) =>
      scale({
        ...settings,
        ...run,
        curves: ['middleware'],
        signal: interrupt.signal,
        progress: (_point, step) => step.startsWith('Nonstop, round') && interrupt.abort(new Error('interrupted')),
      }),
    );
    assert.equal(record.ended, 'interrupted');
    assert.deepEqual(
      record.samples.map(({ contestant }) => contestant),
      ['node:http', 'Express 5'],
    );
    assert.deepEqual(record.growths, []);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
  });
});
