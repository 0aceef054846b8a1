import assert = require('node:assert/strict');
import path = require('node:path');
import { describe, test } from 'node:test';
import { compareApp, type AppRecord } from '../../bench/lab/app/app.js';
import { findEntry } from '../../bench/lab/app/entry.js';
import { steadyPart } from '../../bench/lab/app/same-answer.js';
import { growing, verdict } from '../../bench/lab/app/verdict.js';
import type { Answer } from '../../bench/lab/ask.js';
import type { Sample } from '../../bench/lab/measure.js';
import type { ScenarioRequest } from '../../bench/lab/scenario.js';
import { summarise } from '../../bench/lab/summary.js';
import { inRepo } from '../support/paths.js';
import { attended, type Run } from './fixtures/attended.js';
import { twenty } from './fixtures/twenty.js';
import { folder } from '../support/folder.js';

const app = (name: string): string => inRepo('test/bench/fixtures/apps', name);
const node = { version: process.version, path: process.execPath };
const settings = { rounds: 1, seconds: 0.1, warmup: 0.1, connections: 2, settled: 1, generator: twenty, node };

const compare = (name: string, request: Partial<ScenarioRequest> = {}): Promise<Run<AppRecord>> =>
  attended((run) =>
    compareApp({ ...settings, ...run, file: app(name), request: { method: 'GET', path: '/', ...request } }),
  );

/** Node takes types off without being asked. */
const strips = Boolean((process.features as { typescript?: unknown }).typescript);

describe('an application of somebody is compared with itself', () => {
  const cases: readonly (readonly [
    what: string,
    file: string,
    request: Partial<ScenarioRequest>,
    skip?: string | false,
  ])[] = [
    [
      'in CommonJS, on a port that it may not have, with an answer that varies',
      'items.js',
      { path: '/items/7', headers: { 'X-Agent': 'lab' } },
    ],
    [
      'by a request with a body',
      'items.js',
      { method: 'POST', path: '/echo', headers: { 'Content-Type': 'application/json' }, body: '{"a":[1]}' },
    ],
    ['as an ES module', 'items.mjs', {}],
    ['in TypeScript', 'items.mts', {}, strips ? false : `${process.version} does not take types off`],
  ];
  for (const [what, file, request, skip = false] of cases) {
    test(what, { skip }, async () => {
      const { record, saved, printed } = await compare(file, request);
      assert.equal(record.ended, 'complete', printed);
      assert.deepEqual(record.failures, []);
      assert.deepEqual(
        record.samples.map(({ contestant }) => contestant),
        ['Express 5', 'Nonstop'],
      );
      assert.match(printed, /answers to (GET|POST) \S+ are the same: 200/);
      assert.match(record.verdict, /CPU a request/);
      assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
    });
  }

  test('and is told what was not compared', async () => {
    const { record } = await compare('items.js', { path: '/items/7' });
    assert.match(record.notes.join(), /varies under Express itself: X-Request-Id/);
  });

  test('and a crash in the middle is reported', async () => {
    const { record } = await compare('items.js', { path: '/crash' });
    assert.deepEqual(
      record.failures.map(({ contestant }) => contestant),
      ['Express 5', 'Nonstop'],
    );
    assert.match(record.verdict, /No verdict/);
  });
});

describe('nothing is timed or written', () => {
  const cases: readonly (readonly [what: string, file: string, path: string, problem: RegExp])[] = [
    [
      'when the answers differ, which are shown field by field',
      'items.js',
      '/differs',
      /X-Engine: expected "a", got "b"/,
    ],
    ['when the answer is not a success', 'items.js', '/nothing', /answered with 404 under both/],
    ['when the application does not start', 'broken.js', '/', /Under Express.*TypeError: the settings are missing$/],
    ['when it does not listen', 'ends.js', '/', /Under Express.*ended \(0\) before it listened$/],
    ['when it has no Express in it', 'without-express.js', '/', /Under Nonstop.*has not loaded express/],
    ['when the file is not there', 'nothing.js', '/', /There is no file .*nothing\.js$/],
  ];
  for (const [what, file, where, problem] of cases) {
    test(what, async () => {
      await assert.rejects(compare(file, { path: where }), (error: Error) => problem.test(error.message));
    });
  }

  test('when its Express is not installed', () => {
    // Not the running binary: that of another Node lies below this checkout, where Express is.
    const alone = path.join(folder({ 'app.js': '' }), 'app.js');
    assert.throws(() => findEntry(alone, process.version), /express is not installed where/);
  });

  test('when this Node does not run TypeScript', () => {
    assert.throws(() => findEntry(app('items.mts'), 'v20.19.0'), /v20\.19\.0 does not run TypeScript by itself/);
    assert.ok(findEntry(app('items.mts'), 'v22.18.0'));
  });
});

test('what varies in a field or in the body is left open, and what is steady is not', () => {
  const answer = (id: string, body: string): Answer => ({
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Id', id],
      ['Content-Type', 'text/plain'],
      ['Date', 'today'],
    ],
    body,
  });
  const { expected, varying } = steadyPart(answer('1', 'a'), answer('2', 'b'));
  assert.deepEqual(varying, ['X-Id', 'the body']);
  assert.deepEqual(expected.fields, [
    ['X-Id', null],
    ['Content-Type', 'text/plain'],
    ['Date', null],
  ]);
  assert.equal(expected.body, null);
  assert.equal(steadyPart(answer('1', 'a'), answer('1', 'a')).expected.body, 'a');
});

describe('the verdict', () => {
  const sample = (contestant: string, cpu: number, round = 0, rss = 64 * 2 ** 20): Sample => ({
    scenario: 'GET /',
    contestant,
    node: 'v24.0.0',
    connections: 2,
    round,
    requests: 1000,
    seconds: 1,
    p50: 1,
    p99: 1,
    cpu,
    rss,
  });
  const cases: readonly (readonly [express: number[], nonstop: number[], said: RegExp])[] = [
    [[40], [10], /^Under Nonstop it needs 4\.00 times less CPU a request: 10\.0 against 40\.0 µs/],
    [[10], [20], /2\.00 times more CPU/],
    [[10, 11], [10, 10.5], /^No difference seen/],
    [[10], [], /^No verdict/],
  ];
  for (const [express, nonstop, said] of cases) {
    test(`on ${nonstop.join(', ') || 'nothing'} against ${express.join(', ')} µs is ${said.source}`, () => {
      const samples = [
        ...express.map((cpu, round) => sample('Express 5', cpu, round)),
        ...nonstop.map((cpu, round) => sample('Nonstop', cpu, round)),
      ];
      assert.match(verdict(summarise(samples)), said);
    });
  }

  test('speaks of memory that grows in every round', () => {
    const sizes = (name: string, megabytes: number[]): Sample[] =>
      megabytes.map((size, round) => sample(name, 1, round, size * 2 ** 20));
    assert.deepEqual(growing([...sizes('Express 5', [60, 90, 80]), ...sizes('Nonstop', [60, 61, 62])]), []);
    const [line] = growing(sizes('Nonstop', [60, 100, 140]));
    assert.match(line, /memory of Nonstop grew in every round, from 60 MB to 140 MB/);
  });
});
