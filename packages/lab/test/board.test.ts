import assert = require('node:assert/strict');
import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { board, type BoardOptions } from '../src/board/board.js';
import { compareRounds, saying } from '../src/board/compare.js';
import { closure } from '../src/board/installed.js';
import { budgetOn, judge, verdictCounts } from '../src/board/judge.js';
import { boardRows, chooseRows, type BoardRow } from '../src/board/rows.js';
import type { Sample } from '../src/measure.js';
import { Peer } from '../src/peer.js';
import { loadScenario } from '../src/scenario.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { inRepo, repoRoot } from '../../nonstop/test/support/paths.js';
import { attended } from './fixtures/attended.js';
import { twenty } from './fixtures/twenty.js';

const sample = (contestant: string, cpu: number, change: Partial<Sample> = {}): Sample => ({
  scenario: 'hello',
  contestant,
  node: 'v24.1.0',
  connections: 50,
  round: 0,
  requests: 1000,
  seconds: 1,
  p50: 1,
  p99: 2,
  cpu,
  rss: 50,
  ...change,
});

describe('the rows of the board', () => {
  for (const row of boardRows.filter(({ kind }) => kind === 'load')) {
    test(`'${row.name}' has a scenario with Nonstop and each contestant that it is compared with`, () => {
      const { peers } = loadScenario(row.name);
      for (const name of ['Nonstop', ...row.budgets.map(({ against }) => against)]) assert.ok(name in peers, name);
    });
  }

  test('are chosen by name', () => {
    assert.deepEqual(
      chooseRows(['idle', 'hello']).map(({ name }) => name),
      ['idle', 'hello'],
    );
    assert.throws(() => chooseRows(['nothing']), /no row 'nothing'; there are hello, query-api/);
  });
});

describe('a budget', () => {
  const cases: readonly (readonly [node: string, most: number])[] = [
    ['v20.19.0', 0.6],
    ['v22.1.0', 0.6],
    ['v25.0.0', 0.7],
    ['v26.3.1', 0.8],
    ['v18.0.0', 0.6],
  ];
  for (const [node, most] of cases) {
    test(`is ${most} on ${node}`, () => assert.equal(budgetOn(node, { 20: 0.6, 24: 0.7, 26: 0.8 }), most));
  }

  const row: BoardRow = {
    name: 'hello',
    kind: 'load',
    title: 'hello',
    budgets: [
      { figure: 'cpu', against: 'node:http', most: 0.5 },
      { figure: 'cpu', against: 'Express 5', most: 0.5 },
      { figure: 'rss', against: 'node:http', most: 1 },
      { figure: 'cpu', against: 'Fastify', most: 1 },
    ],
  };

  test('is passed, missed or not measured', () => {
    const loads = [sample('node:http', 8), sample('Express 5', 20), sample('Nonstop', 5)];
    const verdicts = judge(row, 'v24.1.0', { loads, figures: [] });
    assert.deepEqual(
      verdicts.map(({ verdict, measured }) => [verdict, measured]),
      [
        ['miss', 0.625],
        ['pass', 0.25],
        ['pass', 1],
        ['not measured', undefined],
      ],
    );
  });

  const spreads: readonly (readonly [own: number[], verdict: string, lowest: number, highest: number])[] = [
    [[4, 4, 4, 4, 5], 'pass', 0.4, 0.5],
    [[4, 4, 4, 4, 5.1], 'uncertain', 0.4, 0.51],
    [[4, 4, 5.1, 5.2, 5.3], 'miss', 0.4, 0.53],
    // Of eleven rounds the two lowest and the two highest say little about the median.
    [[4, 4, 4, 4, 4, 4, 4, 4, 5, 6, 7], 'pass', 0.4, 0.5],
    [[4, 4, 4, 4, 4, 4, 4, 4, 6, 6, 7], 'uncertain', 0.4, 0.6],
  ];
  for (const [own, verdict, lowest, highest] of spreads) {
    test(`of one half is ${verdict} with ${own.join(', ')} beside 10`, () => {
      const loads = own.flatMap((cpu, round) => [
        sample('node:http', 10, { round }),
        sample('Nonstop', cpu, { round }),
      ]);
      const [found] = judge(row, 'v24.1.0', { loads, figures: [] });
      assert.deepEqual([found.verdict, found.lowest, found.highest], [verdict, lowest, highest]);
      if (verdict === 'uncertain')
        assert.match(verdictCounts([found]), /^0 passed, 0 missed, 1 uncertain: their median is within the budget/);
    });
  }

  test('is compared by pairs of the same round', () => {
    // A machine that is slow in one round is slow for both.
    const loads = [8, 8, 80].flatMap((cpu, round) => [
      sample('node:http', cpu, { round }),
      sample('Nonstop', cpu / 2, { round }),
    ]);
    const [{ verdict, lowest, highest }] = judge(row, 'v24.1.0', { loads, figures: [] });
    assert.deepEqual([verdict, lowest, highest], ['pass', 0.5, 0.5]);
  });

  test('is not judged by a quick run', () => {
    const loads = [sample('node:http', 8), sample('Express 5', 20), sample('Nonstop', 5)];
    const verdicts = judge(row, 'v24.1.0', { loads, figures: [], quick: true });
    assert.deepEqual(
      verdicts.map(({ verdict }) => verdict),
      ['not judged', 'not judged', 'not judged', 'not measured'],
    );
    assert.equal(verdictCounts(verdicts), '3 not judged: --quick shows that everything runs, not how fast');
  });

  test('is not judged by one round, nor by fewer than were planned', () => {
    const taken = (rounds: readonly number[]): Sample[] =>
      rounds.flatMap((round) => [sample('node:http', 8, { round }), sample('Nonstop', 4, { round })]);
    const judgedBy = (samples: Sample[], rounds: number): string =>
      judge(row, 'v24.1.0', { loads: samples, figures: [], rounds })[0].verdict;
    assert.equal(judgedBy(taken([0, 1, 2]), 3), 'pass');
    assert.equal(judgedBy(taken([0, 1]), 3), 'too few rounds');
    assert.equal(judgedBy(taken([0]), 3), 'too few rounds');
    assert.equal(judgedBy(taken([0]), 1), 'too few rounds');
    // Nonstop is one round ahead when the run is interrupted.
    assert.equal(judgedBy([...taken([0, 1]), sample('Nonstop', 4, { round: 2 })], 3), 'too few rounds');
    const verdicts = judge(row, 'v24.1.0', { loads: taken([0]), figures: [], rounds: 3 });
    assert.match(
      verdictCounts(verdicts),
      /^0 passed, 0 missed, 2 not measured, 2 not judged: their rounds are too few/,
    );
  });

  test('of what is installed is judged by one count', () => {
    const [installed] = chooseRows(['installed']);
    const figures = ['Nonstop', 'Express 5'].flatMap((contestant) =>
      ['size', 'packages'].map((figure) => {
        return { row: 'installed', contestant, node: 'v24.1.0', figure, unit: '', round: 0, value: 100 };
      }),
    );
    assert.deepEqual(
      judge(installed, 'v24.1.0', { loads: [], figures, rounds: 5 }).map(({ verdict }) => verdict),
      ['pass', 'pass'],
    );
  });

  test('is compared with the samples of its own Node', () => {
    const loads = [sample('node:http', 8), sample('Nonstop', 5)];
    assert.ok(judge(row, 'v20.0.0', { loads, figures: [] }).every(({ verdict }) => verdict === 'not measured'));
  });

  test('of memory uses medians, and a negative figure is not a measurement', () => {
    const idle = chooseRows(['idle'])[0];
    const figures = [
      ...[500, 100, 1000].map((value, round) => ({ contestant: 'Nonstop', value, round })),
      { contestant: 'node:http', value: 1000, round: 0 },
      { contestant: 'Express 5', value: -5, round: 0 },
    ].map((figure) => ({ ...figure, row: 'idle', node: 'v24.1.0', figure: 'idle memory', unit: 'bytes' }));
    const verdicts = judge(idle, 'v24.1.0', { loads: [], figures });
    assert.deepEqual(
      verdicts.map(({ verdict, measured }) => [verdict, measured]),
      [
        ['pass', 0.5],
        ['not measured', undefined],
      ],
    );
  });
});

describe('two builds are compared', () => {
  const rounds = (old: number[], fresh: number[]): Sample[] => [
    ...old.map((cpu, round) => sample('old', cpu, { round })),
    ...fresh.map((cpu, round) => sample('Nonstop', cpu, { round })),
  ];
  const cases: readonly (readonly [old: number[], fresh: number[], verdict: string])[] = [
    [[10, 20, 30], [9, 18, 27], 'faster'],
    [[10, 20, 30], [11, 22, 33], 'slower'],
    [[10, 20, 30], [9, 22, 30], 'no difference seen'],
    [[10, 20], [5, 10], 'too few rounds'],
  ];
  for (const [old, fresh, verdict] of cases) {
    test(`round by round: ${fresh.join(', ')} after ${old.join(', ')} is ${verdict}`, () => {
      const [comparison] = compareRounds(rounds(old, fresh), 'old', 'Nonstop');
      assert.equal(saying(comparison), verdict);
    });
  }

  test('without rounds that only one of them has', () => {
    const [comparison] = compareRounds(rounds([10, 20], [5, 10, 1]), 'old', 'Nonstop');
    assert.deepEqual([comparison.rounds, comparison.median], [2, 0.5]);
  });
});

describe('the build of another commit', () => {
  const served = `require('node:http').createServer((req, res) => res.end('of another commit'))`;
  const framework = `module.exports = () => ({ get() {}, listen: (...where) => ${served}.listen(...where) });`;
  const other = folder({
    'entry/index.js': framework,
    'entry/v4.js': framework,
    'entry/production.js': `exports.serve = async (app, { port, host }) => ({ server: ${served}.listen(port, host) });`,
  });
  for (const [row, env] of [
    ['hello', {}],
    ['hello-v4', {}],
    ['metrics', { DOOR: 'serve' }],
  ] as const) {
    test(`serves in the row '${row}'`, async (t) => {
      const { file } = loadScenario(row).peers['Nonstop'];
      const NONSTOP = path.join(other, 'entry', 'index.js');
      const options = { node: process.execPath, scenario: 'hello' };
      const peer = await Peer.start({ file, env: { ...env, NONSTOP } }, options);
      t.after(() => peer.stop());
      const answer = await fetch(`http://127.0.0.1:${peer.port}`);
      assert.equal(await answer.text(), 'of another commit');
    });
  }
});

test('the size of a package includes all its dependencies, each once', () => {
  const folders = closure(inRepo('node_modules/express'));
  assert.equal(new Set(folders).size, folders.length);
  for (const name of ['express', 'router', 'path-to-regexp', 'ms']) {
    assert.ok(
      folders.some((folder) => folder.endsWith(`/node_modules/${name}`)),
      name,
    );
  }
});

const options: Omit<BoardOptions, 'signal' | 'progress' | 'print'> = {
  rounds: 1,
  seconds: 0.1,
  warmup: 0.1,
  settled: 1,
  connections: 4,
  idle: 40,
  nodes: [{ version: process.version, path: process.execPath }],
  generator: twenty,
};

describe('the board', () => {
  test('measures rows of each kind, prints them with their budgets and saves the record', async () => {
    const rows = ['hello', 'idle', 'waiting', 'memory-hello', 'start', 'first-requests', 'installed'];
    const { record, saved, printed } = await attended((run) => board({ ...options, ...run, rows }));
    assert.equal(record.ended, 'complete', printed);
    assert.deepEqual(record.failures, []);
    assert.equal(record.settings.idle, options.idle);
    assert.deepEqual([...new Set(record.figures.map(({ row }) => row))], rows.slice(1));
    const loaded = record.figures.filter(({ figure }) => figure === 'loaded memory');
    assert.deepEqual(loaded.map(({ contestant }) => contestant).sort(), ['Express 5', 'Nonstop', 'node:http']);
    const first = record.figures.filter(({ figure }) => figure === 'first requests');
    assert.deepEqual(first.map(({ contestant }) => contestant).sort(), [
      'Express 5',
      'Fastify',
      'Nonstop',
      'node:http',
    ]);
    assert.ok(
      first.every(({ value }) => value > 0),
      printed,
    );
    assert.equal(record.verdicts.length, chooseRows(rows).flatMap(({ budgets }) => budgets).length);
    const verdictsOf = (name: string): Set<string> =>
      new Set(record.verdicts.filter(({ row }) => row === name).map(({ verdict }) => verdict));
    assert.deepEqual([...verdictsOf('hello')], ['too few rounds'], printed);
    // Sizes do not depend on the machine.
    assert.deepEqual([...verdictsOf('installed')], ['pass'], printed);
    assert.match(printed, /\d+ passed, \d+ missed/);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
  });

  const outside = checkout() ? false : 'not a git checkout: there is no commit to compare with';
  test('compares with another commit, and leaves no files of it behind', { skip: outside }, async () => {
    const rows = ['hello', 'installed'];
    const { record, printed } = await attended((run) => board({ ...options, ...run, rows, base: 'HEAD' }));
    assert.equal(record.ended, 'complete', printed);
    assert.deepEqual(record.failures, []);
    const base = `Nonstop ${record.base}`;
    assert.deepEqual(record.samples.map(({ contestant }) => contestant).sort(), ['Nonstop', base]);
    assert.match(printed, /too few rounds/);
    assert.match(printed, /installed is not compared/);
    assert.equal(record.settings.idle, undefined);
    assert.ok(!fs.readdirSync(inRepo('.build')).some((name) => name === `base-${record.base}-${process.pid}`));
  });

  test('names a commit that does not exist', { skip: outside }, async () => {
    const run = attended((attendance) => board({ ...options, ...attendance, base: 'no-such-commit' }));
    await assert.rejects(run, /Unknown commit: no-such-commit/);
  });
});

function checkout(): boolean {
  try {
    execFileSync('git', ['rev-parse', '--verify', 'HEAD'], { cwd: repoRoot, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
