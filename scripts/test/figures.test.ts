import assert = require('node:assert/strict');
import fs = require('node:fs');
import { pathToFileURL } from 'node:url';
import { before, describe, test } from 'node:test';
import { judgeShare, type Verdict } from '../../packages/lab/src/board/judge.js';
import { boardRows, type BoardRow } from '../../packages/lab/src/board/rows.js';
import { shareOf } from '../../packages/lab/src/board/share.js';
import { emptyRecord, sample } from '../../packages/lab/test/fixtures/records.js';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface Row {
  readonly name: string;
  readonly title: string;
  readonly figure: string;
  readonly node: string;
  readonly values: Readonly<Record<string, number>>;
  readonly spreads: Readonly<
    Record<string, { readonly lowest: number; readonly highest: number; readonly rounds: number }>
  >;
}

interface Figures {
  readonly commit: string;
  readonly command: string;
  readonly note: string;
  readonly nodes: readonly string[];
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly more: readonly Row[];
  readonly ahead: readonly { readonly contestant: string; readonly value: number; readonly source: string }[];
}

const lab = { shareOf, boardRows };

interface FiguresModule {
  figuresOf(record: object, own: typeof lab, studies?: readonly object[]): Figures;
}

interface PagesModule {
  filled(name: string, page: string, figures: Figures, verdicts: readonly Verdict[]): string;
  fill(page: string, text: string): string;
}

interface BudgetsModule {
  verdictsOf(figures: Figures, judging: typeof judgeShare, rows: readonly BoardRow[]): Verdict[];
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
    pages.filled('README.md', page, some, budgets.verdictsOf(some, judgeShare, boardRows));

  test('of a record are medians, the newest Node first, with the command that repeats them', () => {
    const { rows, nodes, command, note } = figures.figuresOf(board(), lab);
    assert.deepEqual(nodes, ['v24.1.0', 'v20.1.0']);
    assert.equal(command, 'npm run lab -- board --row hello,static --node 20,24 --rounds 3 --seconds 1 --warmup 1');
    const [{ spreads }] = rows;
    assert.deepEqual(spreads, { 'node:http': { lowest: 0.4737, highest: 0.5238, rounds: 3 } });
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
    const { command, note } = figures.figuresOf(board({ settings }), lab);
    assert.match(command, / --rounds 3 --most-rounds 9 --seconds 1 /);
    assert.match(note, /^Medians of 3 to 9 alternating rounds,/);
  });

  test('lead with medians of supported Nodes, and say where Nonstop is behind', () => {
    const text = inReadme(figures.figuresOf(board(), lab, [study()]));
    assert.match(
      text,
      /- Node 24, LTS: Nonstop needs \*\*1\.00\*\* of `node:http` \(2 rows\)\.\n- Node 20, past its end:/,
    );
    assert.match(text, /\| hello \| 24 \| 20\.0 \| \| \*\*10\.0\*\* \| 0\.50 \(0\.47–0\.52\) \| \|/);
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
      inReadme(figures.figuresOf(board(), lab)),
      /^<!-- glance -->\n\nCPU time of one request in µs, on Node 24\..*\n.*\n\n.*\n.*\n\| hello \| \| 20\.0 \| \*\*10\.0\*\* \|\n\n<!-- \/glance -->/,
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
    const text = inReadme(figures.figuresOf(board({ samples: [...samples, ...others] }), lab));
    assert.match(text, /\n\| a stream of 1 MB \| `node:http` \| 1\.10 \| 1\.10 \|\n/);
    assert.doesNotMatch(text, /an upload|Express 4/);
    assert.match(text, /- Node 24, LTS: Nonstop needs \*\*1\.00\*\* of `node:http` \(2 rows; 1\.00 over all 4\)\./);
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
      what: 'a row outside the tables in which one failed',
      change: { failures: [{ scenario: 'nest', contestant: 'Nonstop', node: 'v24.1.0', problem: 'it crashed' }] },
      words: /^Error: Nonstop failed in nest on Node v24\.1\.0/,
    },
    {
      what: 'servers without the engine',
      change: { notes: ['NONSTOP_ENGINE=node: the engine is switched off, node:http serves Nonstop.'] },
      words: /without its engine/,
    },
    {
      what: 'servers that keep other objects',
      change: { settings: { rounds: 3, seconds: 1, warmup: 1, connections: 50, liveHeap: 10 } },
      words: /with --live-heap/,
    },
  ];
  for (const { what, change, words } of refused) {
    test(`of ${what} are refused`, () => assert.throws(() => figures.figuresOf(board(change), lab), words));
  }

  test('of a whole board have a command without rows, and all its rows', () => {
    const samples = boardRows.map(({ name }) => sample(name, 'Nonstop'));
    const { command, rows, more } = figures.figuresOf(board({ samples }), lab);
    assert.match(command, /^npm run lab -- board --node 24 --rounds/);
    assert.equal(rows.length + more.length, boardRows.length);
    const [first, ...others] = samples;
    const names = others.map(({ scenario }) => scenario).join(',');
    const without = figures.figuresOf(board({ samples: others }), lab).command;
    assert.equal(first.scenario, 'hello');
    assert.ok(without.startsWith(`npm run lab -- board --row ${names} --node 24`), without);
  });

  test('of a row with several figures are a row for each', () => {
    const counted = (contestant: string, size: number): object[] => {
      const one = { row: 'installed', contestant, node: 'v24.1.0', round: 0 };
      return [
        { ...one, figure: 'size', unit: 'bytes', value: size },
        { ...one, figure: 'packages', unit: '', value: 60 },
      ];
    };
    const some = board({ figures: [...counted('Express 5', 100), ...counted('Nonstop', 120)] });
    const { more } = figures.figuresOf(some, lab);
    assert.deepEqual(
      more.map(({ title, values }) => [title, values]),
      [
        ['installed, bytes', { 'Express 5': 100, Nonstop: 120 }],
        ['installed, packages', { 'Express 5': 60, Nonstop: 60 }],
      ],
    );
  });

  test('may be of a board on which a row failed that is not published', () => {
    const failure = { scenario: 'nest', contestant: 'the row', node: 'v24.1.0', problem: 'no registry' };
    assert.equal(figures.figuresOf(board({ failures: [failure] }), lab).rows.length, 4);
  });

  test('of a changed checkout say so, and those of servers that share the cores', () => {
    const commit = `${'0123456789'.repeat(4)}-dirty`;
    const changed = figures.figuresOf(board({ commit, cores: {} }), lab, [{ ...study(), commit }]);
    assert.equal(changed.commit, '0123456, changed');
    assert.match(changed.note, /, twenty, not pinned to cores\. Spread/);
    assert.match(changed.ahead[0].source, /commit 0123456, changed$/);
    assert.match(figures.figuresOf(board(), lab).note, /, twenty, the server alone on one core\. Spread/);
  });

  test('say how many requests had no answer in time', () => {
    const samples = rounds.map((round) =>
      sample('hello', 'Nonstop', { round, requests: 900, ...(round > 0 && { unanswered: 2 }) }),
    );
    const { note } = figures.figuresOf(board({ samples }), lab);
    assert.match(note, /In 2 samples \(Nonstop\) 4 requests had no answer in time, beside 1800 with one\.$/);
    assert.doesNotMatch(figures.figuresOf(board(), lab).note, /no answer/);
  });

  test('are in README.md and the guide as in figures.json', () => {
    const kept = JSON.parse(fs.readFileSync(inRepo('docs/.vitepress/figures.json'), 'utf8')) as Figures;
    for (const name of ['README.md', 'docs/guide/performance.md']) {
      const page = fs.readFileSync(inRepo(name), 'utf8');
      const verdicts = budgets.verdictsOf(kept, judgeShare, boardRows);
      assert.equal(page, pages.filled(name, page, kept, verdicts), `${name}: npm run figures fills it`);
    }
  });

  describe('beside their budgets', () => {
    const row = (name: string, most: number): BoardRow => {
      return { name, kind: 'load', title: name, budgets: [{ figure: 'cpu', against: 'node:http', most }] };
    };

    test('are met, missed, uncertain or absent', () => {
      const some = figures.figuresOf(board(), lab);
      const rows = [row('hello', 0.53), row('static', 1.49996), row('absent', 1)];
      const verdicts = budgets.verdictsOf(some, judgeShare, rows);
      const text = budgets.budgetText(some, verdicts);
      assert.match(text, /^In the run of .* 2 of 4 budgets are met; 2 are missed and 0 uncertain: /);
      assert.match(
        text,
        /\n\| row \| ÷ \| Node 24 \| Node 20 \|\n.*\n\| static file .* \| `node:http` \| \*\*1\.500\*\* \(1\.45–1\.56\) \/ 1\.50 \| \*\*1\.500\*\* .*\|\n\n/,
      );
      assert.doesNotMatch(text, /\| hello/);
      assert.match(text, /does not have the rows `absent`; their budgets are not counted\.$/);
      assert.match(
        budgets.budgetSentence(verdicts),
        /This run has 4,.*: it meets 2 and \[misses 2\]\(docs\/[^)]*\)\.$/,
      );
    });

    test('are not met if their spread goes beyond the budget', () => {
      const some = figures.figuresOf(board(), lab);
      const verdicts = budgets.verdictsOf(some, judgeShare, [row('hello', 0.5), row('static', 1.6)]);
      const text = budgets.budgetText(some, verdicts);
      assert.match(text, / 2 of 4 budgets are met; 0 are missed and 2 uncertain: /);
      assert.match(text, /\n\| hello \| `node:http` \| _0\.500_ \(0\.47–0\.52\) \/ 0\.50 \|/);
      assert.match(
        budgets.budgetSentence(verdicts),
        /: it meets 2 and is uncertain about 2, because the spread goes beyond the budget\.$/,
      );
    });

    test('have a sentence if all are met', () => {
      const some = figures.figuresOf(board(), lab);
      const met = budgets.verdictsOf(some, judgeShare, [row('hello', 0.53)]);
      assert.match(budgets.budgetText(some, met), / 2 of 2 budgets are met\.$/);
      assert.match(budgets.budgetSentence(met), /This run has 2,.*: it meets all\.$/);
    });

    test('are not judged with fewer rounds than were planned', () => {
      const { samples } = board() as { samples: { round: number; node: string }[] };
      const fewer = samples.filter(({ round, node }) => round < 2 || node === 'v20.1.0');
      const some = figures.figuresOf(board({ samples: fewer }), lab);
      const text = budgets.budgetText(some, budgets.verdictsOf(some, judgeShare, [row('hello', 0.53)]));
      assert.match(
        text,
        / 1 of 1 budgets are met\.\n\nThe rows `hello` have too few rounds; their budgets are not counted\.$/,
      );
    });

    test('of memory and of time are judged by their own budgets', () => {
      const counted = (name: string, contestant: string, value: number, unit: string): object[] =>
        rounds.map((round) => {
          const figure = name === 'idle' ? 'idle memory' : name;
          return { row: name, contestant, node: 'v24.1.0', figure, unit, round, value };
        });
      const taken = [
        ...counted('idle', 'node:http', 100, 'bytes'),
        ...counted('idle', 'Express 5', 120, 'bytes'),
        ...counted('idle', 'Nonstop', 56, 'bytes'),
        ...counted('start', 'Express 5', 100, 'ms'),
        ...counted('start', 'Nonstop', 30, 'ms'),
      ];
      const some = figures.figuresOf(board({ samples: [], figures: taken }), lab);
      const verdicts = budgets
        .verdictsOf(some, judgeShare, boardRows)
        .filter(({ verdict }) => verdict !== 'not measured')
        .map(({ row, against, verdict }) => [row, against, verdict]);
      assert.deepEqual(verdicts, [
        ['idle', 'node:http', 'miss'],
        ['idle', 'Express 5', 'pass'],
        ['start', 'Express 5', 'pass'],
      ]);
    });
  });

  test('are not put into a page without a place for them', () => {
    assert.throws(() => pages.fill('# A page', 'x'), /has no lines <!-- figures -->/);
  });
});
