import assert = require('node:assert/strict');
import { spawnSync } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import type { Sample } from '../src/measure.js';
import { colophon, newRecord, recorded, save, saveLast, type BenchRecord } from '../src/record.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { twenty } from './fixtures/twenty.js';

const settings = { rounds: 1, seconds: 1, warmup: 1, connections: 1 };
const fresh = (results: string): BenchRecord =>
  newRecord('test', { generator: twenty, cores: {}, settings }, path.join(results, 'results'));

const sample: Sample = {
  scenario: 'hello',
  contestant: 'Nonstop',
  node: 'v24.0.0',
  connections: 1,
  round: 0,
  requests: 1,
  seconds: 1,
  p50: 1,
  p99: 1,
  cpu: 1,
  rss: 1,
};

const run = { signal: new AbortController().signal, print: () => undefined };

describe('a record', () => {
  for (const [what, planned, taken, words] of [
    ['all rounds', 3, { Nonstop: 3, 'Express 5': 3 }, '; median of 3 alternating rounds of 1 s\n'],
    ['one round of three', 3, { Nonstop: 1, 'Express 5': 1 }, '; one round (3 were planned) of 1 s\n'],
    [
      'an early end',
      5,
      { Nonstop: 3, 'Express 5': 2 },
      '; median of 2 to 3 alternating rounds (5 were planned) of 1 s\n',
    ],
    ['one round as planned', 1, { Nonstop: 1, 'Express 5': 1 }, '; one round of 1 s\n'],
    [
      'more for a load that needs them',
      [2, 4],
      { Nonstop: 2, 'Express 5': 4 },
      '; median of 2 to 4 alternating rounds of 1 s\n',
    ],
    ['more for each load', [2, 4], { Nonstop: 4, 'Express 5': 4 }, '; median of 4 alternating rounds of 1 s\n'],
    [
      'an early end, with more for a load that needs them',
      [2, 4],
      { Nonstop: 1, 'Express 5': 2 },
      '; median of 1 to 2 alternating rounds (2 to 4 were planned) of 1 s\n',
    ],
  ] as const) {
    test(`of ${what} says which were taken`, () => {
      const [rounds, mostRounds] = [planned].flat();
      const record = newRecord(
        'test',
        { generator: twenty, cores: {}, settings: { ...settings, rounds, mostRounds } },
        folder({}),
      );
      for (const [contestant, count] of Object.entries(taken))
        for (let round = 0; round < count; round++) record.samples.push({ ...sample, contestant, round });
      // Counted once, whatever the number of rounds.
      record.figures.push({
        row: 'installed',
        contestant: 'Nonstop',
        node: 'v24.0.0',
        figure: 'size',
        unit: 'bytes',
        round: 0,
        value: 1,
      });
      assert.ok(colophon(record, 'x.json').includes(words), colophon(record, 'x.json'));
    });
  }

  test('says that the engine is switched off', (t) => {
    assert.deepEqual(fresh(folder({})).notes, []);
    t.after(() => delete process.env['NONSTOP_ENGINE']);
    process.env['NONSTOP_ENGINE'] = 'node';
    assert.deepEqual(fresh(folder({})).notes, [
      'NONSTOP_ENGINE=node: the engine is switched off, node:http serves Nonstop.',
    ]);
  });

  test('is not begun in a folder that is not writable', () => {
    const taken = folder({ results: 'a file' });
    const problem = new RegExp(`^Error: Results cannot be written to ${path.join(taken, 'results')} \\(\\w+\\)$`);
    assert.throws(() => fresh(taken), problem);
  });

  const proc = fs.existsSync('/proc/self') ? false : 'there is no /proc';
  test('is not begun where the system makes no folders', { skip: proc }, () => {
    // In a process of its own, which the time limit ends if the call does not return.
    const program = `require(${JSON.stringify(require.resolve('../src/record.js'))}).save({ started: '', kind: 'a' }, '/proc/none/results')`;
    const { stderr, signal } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 60_000 });
    assert.equal(signal, null);
    assert.match(stderr, /Error: (?:ENOENT|EACCES)[^\n]*'\/proc\/none'/);
  });

  test('replaces its earlier file as a whole', () => {
    const results = folder({});
    const record = fresh(results);
    record.samples.push(sample);
    const file = save(record, path.join(results, 'results'));
    record.samples.push(sample);
    assert.equal(save(record, path.join(results, 'results')), file);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), [path.basename(file)]);
    assert.equal((JSON.parse(fs.readFileSync(file, 'utf8')) as BenchRecord).samples.length, 2);
  });

  test('of a run that was ended before its first sample is not written', async () => {
    const results = folder({});
    const record = fresh(results);
    await recorded(record, run, () => Promise.reject(new Error('a wrong answer')));
    assert.equal(saveLast(record, path.join(results, 'results')), 'none');
    assert.deepEqual(fs.readdirSync(path.join(results, 'results')), []);
  });

  test('that cannot be written at the end is reported, and the run is not complete', async () => {
    const results = folder({});
    const record = fresh(results);
    await recorded(record, run, () => Promise.resolve());
    fs.rmdirSync(path.join(results, 'results'));
    fs.writeFileSync(path.join(results, 'results'), 'a file now');
    assert.match(saveLast(record, path.join(results, 'results')), /^not kept \(E\w+\)$/);
    assert.equal(record.ended, 'stopped');
  });
});
