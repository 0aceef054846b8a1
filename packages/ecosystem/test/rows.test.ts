import assert = require('node:assert/strict');
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path = require('node:path');
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inRepo } from '../../nonstop/test/support/paths.js';

interface Result {
  readonly verdict: string;
  readonly requests?: number;
  readonly express?: string;
  readonly reasons?: readonly string[];
}
interface Row {
  readonly name: string;
  readonly heavy?: boolean;
}
interface Line {
  readonly verdict: string;
}

const load = async <T>(file: string): Promise<T> =>
  (await import(pathToFileURL(inRepo('packages/ecosystem/src', file)).href)) as T;
// Below the repository, so that the fixtures find its own Express.
const place = inRepo('.build', 'ecosystem', `test-${process.pid}`);
after(() => rmSync(place, { recursive: true, force: true }));

async function play(fixture: string, env: Record<string, string> = {}): Promise<Result> {
  const { rowOf } = await load<{ rowOf(file: string): Row }>('rows.mjs');
  const { play } = await load<{ play(row: Row, place: string, options: object): Promise<Result> }>('play.mjs');
  mkdirSync(place, { recursive: true });
  const file = path.join(place, `${fixture}.js`);
  copyFileSync(inRepo('packages/ecosystem/test/fixtures', `${fixture}.js`), file);
  return play(rowOf(file), place, { env });
}

test('a program with equal answers is equal, and the engine serves each of its requests', async () => {
  const { verdict, requests, express } = await play('equal');
  assert.deepEqual({ verdict, requests }, { verdict: 'equal', requests: 4 });
  assert.match(express ?? '', /^5\.\d+\.\d+$/);
});

test('two fields in another order are a difference', async () => {
  const { verdict, reasons } = await play('other-field');
  assert.equal(verdict, 'differs');
  assert.deepEqual(reasons, ['GET / → X-A: 1 / GET / → X-B: 1', 'GET / → X-B: 1 / GET / → X-A: 1']);
});

test('equal answers from node:http count as different, because the engine must give them', async () => {
  const { verdict, reasons } = await play('equal', { NONSTOP_ENGINE: 'node' });
  assert.equal(verdict, 'differs');
  assert.deepEqual(reasons, ['the engine answered no request']);
});

test('a program that does not start on Express is reported as not tried, with the reason', async () => {
  const { verdict, reasons } = await play('broken');
  assert.equal(verdict, 'not tried');
  assert.match(reasons?.[0] ?? '', /^on Express: Error: no such setting/);
});

test('a program whose answers on Express are all 5xx is not tried', async () => {
  const { verdict, reasons } = await play('fails');
  assert.deepEqual({ verdict, reasons }, { verdict: 'not tried', reasons: ['on Express: each answer is 5xx'] });
});

test('a program that ends its process on Express is not tried, with its exit status', async () => {
  const { verdict, reasons } = await play('exits');
  assert.equal(verdict, 'not tried');
  assert.match(reasons?.[0] ?? '', /^on Express: the process ended \(3\) without a result/);
});

test('a program that ends its process on Nonstop alone differs, with its exit status', async () => {
  const { verdict, reasons } = await play('exits-on-nonstop');
  assert.equal(verdict, 'differs');
  assert.match(reasons?.join('\n') ?? '', /Nonstop's side ended with: the process ended \(3\) without a result/);
});

test('each row is in one fifth, except rows whose installation takes long', async () => {
  const { allRows, fifth } = await load<{ allRows(): Row[]; fifth(rows: Row[], turn: number): Row[] }>('rows.mjs');
  const rows = allRows();
  const names = [1, 2, 3, 4, 5].flatMap((turn) => fifth(rows, turn)).map(({ name }) => name);
  const light = rows.filter(({ heavy }) => heavy !== true).map(({ name }) => name);
  assert.deepEqual(names.sort(), light.sort());
});

test('a row is lost if it was equal and differs, or if it was tried and is not', async () => {
  type Lines = Record<string, Line>;
  const { lost } = await load<{ lost(before: Lines, now: Lines): object }>('table.mjs');
  const [equal, differs, untried] = ['equal', 'differs', 'not tried'].map((verdict) => ({ verdict }));
  const before = { a: equal, b: equal, c: differs, d: untried, e: equal };
  const now = { a: differs, b: untried, c: differs, d: untried, e: equal, f: differs, g: untried };
  assert.deepEqual(lost(before, now), { differ: ['a', 'f'], untried: ['b'] });
});

test('a suite is lost if it was tried and is not, or if fewer tests of the same version pass', async () => {
  type Suites = Record<string, { version: string; ours: number }>;
  const { lostSuites } = await load<{ lostSuites(before: Suites, now: Suites, untried: string[]): string[] }>(
    'table.mjs',
  );
  const [nine, eight, newer] = [
    { version: '1.0.0', ours: 9 },
    { version: '1.0.0', ours: 8 },
    { version: '1.1.0', ours: 8 },
  ];
  const before = { a: nine, b: nine, c: nine, d: eight };
  const now = { a: eight, c: newer, d: nine, e: eight };
  assert.deepEqual(lostSuites(before, now, ['b', 'f']), ['b (not tried)', 'a (1 of 9 tests)']);
});

test('the recorded table has a line for each program, and no others', async () => {
  const { allRows } = await load<{ allRows(): Row[] }>('rows.mjs');
  const { readTable } = await load<{ readTable(): { rows: Record<string, Line> } }>('table.mjs');
  assert.deepEqual(
    Object.keys(readTable().rows).sort(),
    allRows()
      .map(({ name }) => name)
      .sort(),
  );
});

test('the page of the documentation is generated from the recorded table', async () => {
  const { readFileSync } = await import('node:fs');
  const { readTable } = await load<{ readTable(): object }>('table.mjs');
  const { pageOf } = await load<{ pageOf(table: object): string }>('page.mjs');
  assert.equal(readFileSync(inRepo('docs/compat/ecosystem.md'), 'utf8'), pageOf(readTable()));
});
