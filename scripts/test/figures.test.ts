import assert = require('node:assert/strict');
import fs = require('node:fs');
import { pathToFileURL } from 'node:url';
import { before, describe, test } from 'node:test';
import { emptyRecord, sample } from '../../packages/lab/test/fixtures/records.js';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface Row {
  readonly name: string;
  readonly node: string;
  readonly values: Readonly<Record<string, number>>;
}

interface Figures {
  readonly command: string;
  readonly note: string;
  readonly nodes: readonly string[];
  readonly rows: readonly Row[];
  readonly ahead: readonly { readonly contestant: string; readonly value: number }[];
}

interface FiguresModule {
  figuresOf(record: object, studies?: readonly object[]): Figures;
  readmeFigures(figures: Figures): string;
  behindText(figures: Figures): string;
  filled(name: string, page: string, figures: Figures): string;
  fill(page: string, text: string): string;
}

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
  before(async () => {
    figures = (await import(pathToFileURL(inRepo('scripts/lib/figures.mjs')).href)) as FiguresModule;
  });

  test('of a record are medians, the newest Node first, with the command that repeats them', () => {
    const { rows, nodes, command, note } = figures.figuresOf(board());
    assert.deepEqual(nodes, ['v24.1.0', 'v20.1.0']);
    assert.equal(command, 'npm run lab -- board --node 20,24 --rounds 3 --seconds 1 --warmup 1');
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

  test('lead with medians of supported Nodes, and say where Nonstop is behind', () => {
    const text = figures.readmeFigures(figures.figuresOf(board(), [study()]));
    assert.match(
      text,
      /- Node 24, LTS: Nonstop needs \*\*1\.00\*\* of `node:http` \(2 rows\)\.\n- Node 20, past its end:/,
    );
    assert.match(text, /\| hello \| 24 \| 20\.0 \| \| \*\*10\.0\*\* \| 0\.50 \| \|/);
    assert.match(text, /<details><summary>Node 20 \(past its end\)<\/summary>/);
    assert.match(
      text,
      /behind in: static file of 10 kB, requested by all clients at once \(node:http: 1\.50 on Node 24, 1\.50 on Node 20\)[.;]/,
    );
    assert.match(
      text,
      /Bun\.serve on Bun 1\.3\.0 needs 5\.0 µs for hello where Nonstop needs 9\.0 \(`npm run lab -- study hello, 100/,
    );
    assert.match(text, /^µWebSockets has no figures here;/m);
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
    const text = figures.readmeFigures(figures.figuresOf(board({ samples: [...samples, ...others] })));
    assert.match(text, /; a stream of 1 MB \(node:http: 1\.10 on Node 24, 1\.10 on Node 20\)\./);
    assert.doesNotMatch(text, /upload|Express 4/);
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
  ];
  for (const { what, change, words } of refused) {
    test(`of ${what} are refused`, () => assert.throws(() => figures.figuresOf(board(change)), words));
  }

  test('are in README.md and the guide as in figures.json', () => {
    const kept = JSON.parse(fs.readFileSync(inRepo('docs/.vitepress/figures.json'), 'utf8')) as Figures;
    for (const name of ['README.md', 'docs/guide/performance.md']) {
      const page = fs.readFileSync(inRepo(name), 'utf8');
      assert.equal(page, figures.filled(name, page, kept), `${name}: npm run figures fills it`);
    }
  });

  test('are not put into a page without a place for them', () => {
    assert.throws(() => figures.fill('# A page', 'x'), /has no lines <!-- figures -->/);
  });
});
