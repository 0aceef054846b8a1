import assert = require('node:assert/strict');
import { EventEmitter, once } from 'node:events';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { headToHead } from '../src/head-to-head.js';
import { measure, WrongAnswer, type Bench, type Failure, type Sample } from '../src/measure.js';
import { Peer } from '../src/peer.js';
import { colophon, newRecord, saveLast, type BenchRecord } from '../src/record.js';
import { loadScenario, noteAlike, type PeerSource, type Scenario } from '../src/scenario.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { twenty } from './fixtures/twenty.js';
import { withoutPrograms } from './fixtures/without-programs.js';

const fixture = (fault: string): PeerSource => ({ file: '../test/fixtures/peer.js', env: { FAULT: fault } });

const plain = (peers: Scenario['peers'], body = 'hello'): Scenario => ({
  name: 'plain',
  title: 'plain',
  request: { method: 'GET', path: '/' },
  expected: {
    status: 200,
    reason: 'OK',
    fields: [
      ['Date', null],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', null],
      ['Content-Length', '5'],
    ],
    body,
  },
  peers,
});

const settings = { rounds: 2, seconds: 0.1, warmup: 0.1, connections: 4, settled: 1 };

function bench(change: Partial<Bench> = {}): Bench & { readonly samples: Sample[]; readonly failures: Failure[] } {
  const samples: Sample[] = [];
  const failures: Failure[] = [];
  return {
    settings,
    generator: twenty,
    cores: {},
    node: { version: process.version, path: process.execPath },
    signal: new AbortController().signal,
    progress: () => undefined,
    onSample: (sample) => samples.push(sample),
    onFailure: (failure) => failures.push(failure),
    ...change,
    samples,
    failures,
  };
}

describe('a measurement', () => {
  test('samples each contestant in alternating rounds', async () => {
    const { samples, failures, ...rest } = bench();
    await measure(plain({ a: fixture('none'), b: fixture('none') }), rest);
    assert.deepEqual(failures, []);
    assert.deepEqual(
      samples.map(({ round, contestant }) => `${round}${contestant}`),
      ['0a', '0b', '1b', '1a'],
    );
    for (const { requests, cpu, rss } of samples) assert.ok(requests === 20 && cpu > 0 && rss > 1e6);
  });

  test('goes on up to the most rounds while the samples of a contestant do not agree', async () => {
    let runs = 0;
    const uneven = {
      ...twenty,
      run: async (...plan: Parameters<typeof twenty.run>): ReturnType<typeof twenty.run> => {
        const result = await twenty.run(...plan);
        return { ...result, requests: ++runs % 2 === 0 ? 20 : 2e6 };
      },
    };
    const { samples, ...rest } = bench({ generator: uneven, settings: { ...settings, mostRounds: 4 } });
    const steps: string[] = [];
    await measure(plain({ a: fixture('none') }), { ...rest, progress: (step) => steps.push(step) });
    assert.equal(samples.length, 4);
    assert.deepEqual(steps.slice(1), [
      'a, round 1 of 2',
      'a, round 2 of 2',
      'a, round 3 of at most 4',
      'a, round 4 of at most 4',
    ]);
  });

  for (const together of [false, true]) {
    test(`loads ${together ? 'all contestants at the same time' : 'one contestant after the other'}`, async () => {
      const arrivals = new EventEmitter();
      const most: number[] = [];
      let running = 0;
      const counting = {
        ...twenty,
        async run(...plan: Parameters<typeof twenty.run>): ReturnType<typeof twenty.run> {
          most.push(++running);
          arrivals.emit('another');
          // The first load waits for the second one, which comes while it runs, or not at all.
          if (together && running < 2) await once(arrivals, 'another', { signal: AbortSignal.timeout(5000) });
          const result = await twenty.run(...plan);
          running--;
          return result;
        },
      };
      const { samples, ...rest } = bench({ generator: counting, settings: { ...settings, together } });
      await measure(plain({ a: fixture('none'), b: fixture('none') }), rest);
      assert.equal(samples.length, 4);
      assert.equal(Math.max(...most), together ? 2 : 1);
    });
  }

  test('stops before anything is timed when an answer is wrong', async () => {
    const { samples, ...rest } = bench();
    const run = measure(plain({ a: fixture('none') }, 'other'), rest);
    await assert.rejects(run, (error) => error instanceof WrongAnswer && /expected …"other"/.test(error.message));
    assert.deepEqual(samples, []);
  });

  for (const file of ['nonstop.js', 'nonstop-v4.js'])
    test(`stops before anything is timed when the engine of ${file} does not serve`, async () => {
      const { samples, ...rest } = bench();
      const { expected: _, ...scenario } = plain({
        Nonstop: { file, env: { SCENARIO: 'hello', NONSTOP_ENGINE: 'node' } },
      });
      await assert.rejects(measure(scenario, rest), (error) => {
        assert.ok(error instanceof WrongAnswer);
        assert.match(error.message, /Nonstop served 0 requests by its engine and 1 without it/);
        return true;
      });
      assert.deepEqual(samples, []);
    });

  test('stops before anything is timed when node:http serves an application of its own as Nonstop', async () => {
    const { samples, ...rest } = bench();
    const run = measure(plain({ Nonstop: fixture('none') }), rest);
    await assert.rejects(run, {
      name: 'WrongAnswer',
      message: /Nonstop served 0 requests by its engine and 1 without/,
    });
    assert.deepEqual(samples, []);
  });

  test('says how a contestant ended, although its channel has closed before', async (t) => {
    const peer = await Peer.start(fixture('leave'), { node: process.execPath, scenario: 'plain' });
    t.after(() => peer.stop());
    await (await fetch(`http://127.0.0.1:${peer.port}`)).text();
    // The lab knows of the channel by then, and not yet of the end.
    await setTimeout(100);
    await assert.rejects(peer.usage(), /a fault for the test/);
  });

  test('has each server keep as many objects as it is told', async () => {
    const memory: number[] = [];
    for (const liveHeap of [undefined, 100]) {
      const { samples, failures, ...rest } = bench({ settings: { ...settings, rounds: 1, liveHeap } });
      await measure(plain({ a: fixture('none') }), rest);
      assert.deepEqual(failures, []);
      memory.push(samples[0].rss / 2 ** 20);
    }
    const [without, withMore] = memory;
    assert.ok(withMore - without > 90 && withMore - without < 220, `${without} MB, and ${withMore} MB with 100 more`);
  });

  for (const [fault, problem] of [
    ['start', /before it listened[^]*does not start/],
    ['crash', /a fault for the test/],
    ['status', /\d+ answers, and errors: \d+ status/],
  ] as const) {
    test(`reports a contestant with the fault '${fault}' and continues with the others`, async () => {
      const { samples, failures, ...rest } = bench();
      await measure(plain({ a: fixture(fault), b: fixture('none') }), rest);
      assert.deepEqual(
        failures.map(({ contestant }) => contestant),
        ['a'],
      );
      assert.match(failures[0].problem, problem);
      assert.deepEqual(
        samples.map(({ contestant }) => contestant),
        ['b', 'b'],
      );
    });
  }
});

describe('a request of the generator without an answer', () => {
  const waiting = (count: number, kind: string): Partial<Bench> => ({
    settings: { ...settings, rounds: 1 },
    generator: {
      ...twenty,
      run: () => Promise.resolve({ requests: 1000, seconds: 1, p50: 1, p99: 1, errors: { [kind]: count } }),
    },
  });

  test('is reported beside the sample, if it is rare', async () => {
    const { samples, failures, ...rest } = bench(waiting(4, 'timeout'));
    await measure(plain({ a: fixture('none') }), rest);
    assert.deepEqual([failures, samples.map(({ unanswered }) => unanswered)], [[], [4]]);
    const record = newRecord('test', { generator: twenty, cores: {}, settings });
    record.samples.push(...samples);
    const results = folder({});
    const note = 'a, 4 connections, round 1: 4 requests without an answer in time beside 1000 with one.';
    const file = saveLast(record, results);
    assert.deepEqual((JSON.parse(fs.readFileSync(file, 'utf8')) as BenchRecord).notes, [note]);
    assert.deepEqual(colophon(record, file).split('\n').slice(0, -2), [note]);
  });

  for (const [count, kind] of [
    [5, 'timeout'],
    [1, 'status'],
  ] as const) {
    test(`is a failure with ${count} of the kind '${kind}' on four connections`, async () => {
      const { samples, failures, ...rest } = bench(waiting(count, kind));
      await measure(plain({ a: fixture('none') }), rest);
      assert.deepEqual(samples, []);
      assert.equal(failures[0]?.problem, `1000 answers, and errors: ${count} ${kind}`);
    });
  }
});

test('a contestant that leaves a request without an answer is reported, although the generator does not tell of it', async () => {
  const content: Partial<Bench> = {
    generator: { ...twenty, run: () => Promise.resolve({ requests: 1000, seconds: 1, p50: 1, p99: 1, errors: {} }) },
  };
  const { samples, failures, ...rest } = bench(content);
  await measure(plain({ a: fixture('silent'), b: fixture('none') }), rest);
  assert.deepEqual(
    failures.map(({ contestant, problem }) => [contestant, problem]),
    [['a', '1 of 4 requests at once failed: no complete answer within 10 s']],
  );
  assert.deepEqual(
    samples.map(({ contestant }) => contestant),
    ['b', 'b'],
  );
});

describe('the head-to-head', () => {
  const run = async (change: {
    rows?: string[];
    signal?: AbortSignal;
    progress?: (row: string, step: string) => void;
  }) => {
    const results = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-bench-test-'));
    const printed: string[] = [];
    const nodes = [{ version: process.version, path: process.execPath }];
    const record = await headToHead({
      ...settings,
      rounds: 1,
      rows: ['hello'],
      nodes,
      generator: twenty,
      results,
      signal: new AbortController().signal,
      progress: () => undefined,
      print: (text) => printed.push(text),
      ...change,
    });
    const [file] = fs.readdirSync(results);
    const saved: unknown = JSON.parse(fs.readFileSync(path.join(results, file), 'utf8'));
    fs.rmSync(results, { recursive: true });
    return { record, saved, printed: printed.join('\n') };
  };

  test('compares node:http, Express 5 and Nonstop, prints a table and saves a record', async () => {
    const { record, saved, printed } = await run({});
    assert.equal(record.ended, 'complete', printed);
    assert.deepEqual(record.failures, []);
    const contestants = ['node:http', 'Express 5', 'Nonstop'];
    assert.deepEqual([...new Set(record.samples.map(({ contestant }) => contestant))], contestants);
    for (const contestant of contestants) assert.ok(printed.includes(contestant));
    assert.match(printed, /^All requests of a row are equal in hello, so caches help there\.$/m);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
  });

  test('says which rows have equal requests', async () => {
    const { record } = await run({ rows: ['varied', 'echo', 'hello'] });
    const equal = 'All requests of a row are equal in echo, hello, so caches help there.';
    assert.deepEqual(record.notes, [equal]);
    assert.deepEqual(noteAlike(['varied', 'echo', 'hello', 'async'].map(loadScenario), 'autocannon'), [
      equal,
      'autocannon repeats 200 different requests in varied, async, so caches help there too.',
    ]);
  });

  test('leaves out a row whose programs are not installed, and says so', async () => {
    const { record, printed } = await withoutPrograms(() => run({ rows: ['session-valkey', 'h2-hello', 'hello'] }));
    assert.deepEqual([record.ended, record.failures], ['complete', []], printed);
    assert.deepEqual([...new Set(record.samples.map(({ scenario }) => scenario))], ['hello']);
    assert.match(printed, /^session-valkey was left out: valkey-server or redis-server is not installed\.$/m);
    assert.match(printed, /^h2-hello was left out: h2load is not installed\.$/m);
  });

  test('compares nonstop/v4 with Express 4', async () => {
    const { record } = await run({ rows: ['echo-v4'] });
    assert.deepEqual(
      record.samples.map(({ contestant }) => contestant),
      ['Express 4', 'Nonstop'],
    );
  });

  test('keeps the finished samples when it is interrupted', async () => {
    const interrupt = new AbortController();
    const progress = (_row: string, step: string): void => {
      if (step.startsWith('Express 5, round')) interrupt.abort(new Error('interrupted'));
    };
    const { record, saved, printed } = await run({ signal: interrupt.signal, progress });
    assert.equal(record.ended, 'interrupted');
    assert.deepEqual(
      record.samples.map(({ contestant }) => contestant),
      ['node:http'],
    );
    assert.match(printed, /Interrupted/);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
  });
});

test('an unknown scenario is named', () => {
  assert.throws(() => loadScenario('nothing'), /no scenario 'nothing'/);
});
