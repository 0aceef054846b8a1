import assert = require('node:assert/strict');
import fs = require('node:fs');
import { pathToFileURL } from 'node:url';
import { before, describe, test } from 'node:test';
import { judge, type Verdict } from '../../packages/lab/src/board/judge.js';
import { boardRows, type BoardRow } from '../../packages/lab/src/board/rows.js';
import { emptyRecord, sample } from '../../packages/lab/test/fixtures/records.js';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface Row {
  readonly name: string;
  readonly node: string;
  readonly values: Readonly<Record<string, number>>;
}

interface Figures {
  readonly commit: string;
  readonly command: string;
  readonly note: string;
  readonly nodes: readonly string[];
  readonly rows: readonly Row[];
  readonly ahead: readonly { readonly contestant: string; readonly value: number; readonly source: string }[];
}

interface FiguresModule {
  figuresOf(record: object, studies?: readonly object[]): Figures;
}

interface PagesModule {
  filled(name: string, page: string, figures: Figures, verdicts: readonly Verdict[]): string;
  fill(page: string, text: string): string;
}

interface BudgetsModule {
  verdictsOf(figures: Figures, judging: typeof judge, rows: readonly BoardRow[]): Verdict[];
  budgetSentence(verdicts: readonly Verdict[]): string;
  budgetText(figures: Figures, verdicts: readonly Verdict[]): string;
}

const load = async (file: string): Promise<unknown> => import(pathToFileURL(inRepo('scripts/lib', file)).href);

const rounds = [0, 1, 2];

/** A board on two Nodes: `hello` in which Nonstop is ahead, `static` in which it is not. */
const board = (change: object = {}): object => {
  const taken = (scenario: string, contestant: string, cpu: number): object[] =>
    ['v20.1.0', 'v24.1.0'].flatMap((node) =>
      rounds.map((round) => sample(scenario, contestant, { node, round, cpu: cpu + round })),
    );
  const samples = [
    ...taken('hello', 'node:http', 19),
    ...taken('hello', 'Nonstop', 9),
    ...taken('static', 'node:http', 9),
    ...taken('static', 'Nonstop', 14),
  ];
  return {
    ...emptyRecord('board', { settings: { rounds: 3, seconds: 1, warmup: 1, connections: 50 } }),
    samples,
    ...change,
  };
};

const study = (): object => {
  const samples = ['Bun.serve', 'Nonstop', 'Express 5'].map((name, index) =>
    sample('hello', name, { node: 'v24.1.0', connections: 100, cpu: [5, 9, 40][index] ?? 0 }),
  );
  return { ...emptyRecord('study-hello'), study: 'hello', versions: { bun: '1.3.0' }, samples };
};

describe('the figures', () => {
  let figures: FiguresModule;
  let pages: PagesModule;
  let budgets: BudgetsModule;
  before(async () => {
    figures = (await load('figures.mjs')) as FiguresModule;
    pages = (await load('figure-pages.mjs')) as PagesModule;
    budgets = (await load('budgets.mjs')) as BudgetsModule;
  });

  const page = '<!-- glance -->\n\n<!-- /glance -->\n<!-- figures -->\n\n<!-- /figures -->\n';
  const inReadme = (some: Figures): string =>
    pages.filled('README.md', page, some, budgets.verdictsOf(some, judge, boardRows));

  test('of a record are medians, the newest Node first, with the command that repeats them', () => {
    const { rows, nodes, command, note } = figures.figuresOf(board());
    assert.deepEqual(nodes, ['v24.1.0', 'v20.1.0']);
    assert.equal(command, 'npm run lab -- board --row hello,static --node 20,24 --rounds 3 --seconds 1 --warmup 1');
    assert.deepEqual(
      rows.map(({ name, node, values }) => [name, node, values]),
      [
        ['hello', '24', { 'node:http': 20, Nonstop: 10 }],
        ['static', '24', { 'node:http': 10, Nonstop: 15 }],
        ['hello', '20', { 'node:http': 20, Nonstop: 10 }],
        ['static', '20', { 'node:http': 10, Nonstop: 15 }],
      ],
    );
    assert.match(note, /Medians of 3 alternating rounds.* up to 20 % for Nonstop, up to 20 % for the others/);
  });

  test('of a board with more rounds for loads that need them say so', () => {
    const settings = { rounds: 3, mostRounds: 9, seconds: 1, warmup: 1, connections: 50 };
    const { command, note } = figures.figuresOf(board({ settings }));
    assert.match(command, / --rounds 3 --most-rounds 9 --seconds 1 /);
    assert.match(note, /^Medians of 3 to 9 alternating rounds,/);
  });

  test('lead with medians of supported Nodes, and say where Nonstop is behind', () => {
    const text = inReadme(figures.figuresOf(board(), [study()]));
    assert.match(
      text,
      /- Node 24, LTS: Nonstop needs \*\*1\.00\*\* of `node:http` \(2 rows\)\.\n- Node 20, past its end:/,
    );
    assert.match(text, /\| hello \| 24 \| 20\.0 \| \| \*\*10\.0\*\* \| 0\.50 \| \|/);
    assert.match(text, /<details><summary>Node 20 \(past its end\)<\/summary>/);
    assert.match(
      text,
      /\| workload \| behind \| Node 24 \| Node 20 \|\n.*\n\| static file of 10 kB, requested by all clients at once \| `node:http` \| 1\.50 \| 1\.50 \|\n\n/,
    );
    assert.match(
      text,
      /Bun\.serve on Bun 1\.3\.0 needs 5\.0 µs for hello where Nonstop needs 9\.0 \(`npm run lab -- study hello, 100/,
    );
    assert.match(text, /^µWebSockets has no figures here;/m);
  });

  test('begin with a few rows of the LTS release', () => {
    assert.match(
      inReadme(figures.figuresOf(board())),
      /^<!-- glance -->\n\nCPU time of one request in µs, on Node 24\..*\n\n.*\n.*\n\| hello \| \| 20\.0 \| \*\*10\.0\*\* \|\n\n<!-- \/glance -->/,
    );
  });

  test('name rows that the tables leave out, where Nonstop is behind, and what is the least', () => {
    const nodes = ['v20.1.0', 'v24.1.0'];
    const others = nodes.flatMap((node) => [
      sample('stream-1m', 'node:http', { node, cpu: 200 }),
      sample('stream-1m', 'Nonstop', { node, cpu: 220 }),
      sample('upload-1m', 'node:http', { node, cpu: 200 }),
      sample('upload-1m', 'Nonstop', { node, cpu: 180 }),
      sample('hello-v4', 'Nonstop', { node, cpu: 10 }),
      sample('hello-v4', 'Nonstop for 5', { node, cpu: 9 }),
      sample('hello-v4', 'a constant on net', { node, cpu: 8 }),
    ]);
    const { samples } = board() as { samples: object[] };
    const text = inReadme(figures.figuresOf(board({ samples: [...samples, ...others] })));
    assert.match(text, /\n\| a stream of 1 MB \| `node:http` \| 1\.10 \| 1\.10 \|\n/);
    assert.doesNotMatch(text, /an upload|Express 4/);
    assert.match(text, /- Node 24, LTS: Nonstop needs \*\*1\.00\*\* of `node:http` \(2 rows; 1\.00 over 4\)\./);
    assert.match(
      text,
      /knows nothing of HTTP, needs 8\.0 µs on Node 24 \(Nonstop 9\.0\), 8\.0 µs on Node 20 \(Nonstop 9\.0\)\./,
    );
  });

  const refused = [
    {
      what: 'a short run',
      change: { settings: { rounds: 1, seconds: 1, warmup: 1, connections: 5, quick: true } },
      words: /short run/,
    },
    { what: 'one that was cut off', change: { ended: 'interrupted' }, words: /not complete \(interrupted\)/ },
    { what: 'two commits', change: { base: 'abc' }, words: /compares two commits/ },
    { what: 'another kind', change: { kind: 'scale' }, words: /is of 'scale'/ },
    {
      what: 'a row in which one failed',
      change: { failures: [{ scenario: 'static', contestant: 'Nonstop', node: 'v24.1.0', problem: 'it crashed' }] },
      words: /^Error: Nonstop failed in static on Node v24\.1\.0: a figure would be missing, or have fewer rounds$/,
    },
    {
      what: 'servers that keep other objects',
      change: { settings: { rounds: 3, seconds: 1, warmup: 1, connections: 50, liveHeap: 10 } },
      words: /with --live-heap/,
    },
  ];
  for (const { what, change, words } of refused) {
    test(`of ${what} are refused`, () => assert.throws(() => figures.figuresOf(board(change)), words));
  }

  test('of a whole board have a command without rows', () => {
    const { rows } = JSON.parse(fs.readFileSync(inRepo('docs/.vitepress/figures.json'), 'utf8')) as Figures;
    const samples = [...new Set(rows.map(({ name }) => name))].map((name) => sample(name, 'Nonstop'));
    assert.match(figures.figuresOf(board({ samples })).command, /^npm run lab -- board --node 24 --rounds/);
  });

  test('may be of a board on which a row failed that is not published', () => {
    const failure = { scenario: 'nest', contestant: 'the row', node: 'v24.1.0', problem: 'no registry' };
    assert.equal(figures.figuresOf(board({ failures: [failure] })).rows.length, 4);
  });

  test('of a changed checkout say so, and those of servers that share the cores', () => {
    const commit = `${'0123456789'.repeat(4)}-dirty`;
    const changed = figures.figuresOf(board({ commit, cores: {} }), [{ ...study(), commit }]);
    assert.equal(changed.commit, '0123456, changed');
    assert.match(changed.note, /, twenty, not pinned to cores\. Spread/);
    assert.match(changed.ahead[0].source, /commit 0123456, changed$/);
    assert.match(figures.figuresOf(board()).note, /, twenty, the server alone on one core\. Spread/);
  });

  test('are in README.md and the guide as in figures.json', () => {
    const kept = JSON.parse(fs.readFileSync(inRepo('docs/.vitepress/figures.json'), 'utf8')) as Figures;
    for (const name of ['README.md', 'docs/guide/performance.md']) {
      const page = fs.readFileSync(inRepo(name), 'utf8');
      const verdicts = budgets.verdictsOf(kept, judge, boardRows);
      assert.equal(page, pages.filled(name, page, kept, verdicts), `${name}: npm run figures fills it`);
    }
  });

  test('are beside the budgets that they miss', () => {
    const row = (name: string, most: number): BoardRow => {
      return { name, kind: 'load', title: name, budgets: [{ figure: 'cpu', against: 'node:http', most }] };
    };
    const some = figures.figuresOf(board());
    const rows = [row('hello', 0.5), row('static', 1.49996), row('absent', 1)];
    const verdicts = budgets.verdictsOf(some, judge, rows);
    const text = budgets.budgetText(some, verdicts);
    assert.match(text, /^In the run of .* 2 of 4 budgets are met; 2 are missed\. /);
    assert.match(
      text,
      /\n\| row \| ÷ \| Node 24 \| Node 20 \|\n.*\n\| static file .* \| `node:http` \| \*\*1\.500\*\* \/ 1\.50 \| \*\*1\.500\*\* \/ 1\.50 \|\n\n/,
    );
    assert.doesNotMatch(text, /\| hello/);
    assert.match(text, /do not have the rows `absent`; their budgets are not counted\.$/);
    assert.match(budgets.budgetSentence(verdicts), /This run has 4,.*: it meets 2 and \[misses 2\]\(docs\//);
    const met = budgets.verdictsOf(some, judge, [row('hello', 0.5)]);
    assert.match(budgets.budgetText(some, met), / 2 of 2 budgets are met\.$/);
    assert.match(budgets.budgetSentence(met), /This run has 2,.*: it meets all\.$/);
  });

  test('of memory and of time are judged by their own budgets', () => {
    const some = figures.figuresOf(board());
    const values = { 'node:http': 100, 'Express 5': 120, Nonstop: 56 };
    const others = [
      { name: 'idle', node: '24', unit: 'bytes', title: 'memory, bytes', values },
      { name: 'start', node: '24', unit: 'ms', title: 'require, ms', values: { 'Express 5': 100, Nonstop: 30 } },
    ];
    const verdicts = budgets
      .verdictsOf({ ...some, rows: others }, judge, boardRows)
      .filter(({ verdict }) => verdict !== 'not measured')
      .map(({ row, against, verdict }) => [row, against, verdict]);
    assert.deepEqual(verdicts, [
      ['idle', 'node:http', 'miss'],
      ['idle', 'Express 5', 'pass'],
      ['start', 'Express 5', 'pass'],
    ]);
  });

  test('are not put into a page without a place for them', () => {
    assert.throws(() => pages.fill('# A page', 'x'), /has no lines <!-- figures -->/);
  });
});
