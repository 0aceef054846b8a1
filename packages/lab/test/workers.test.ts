import assert = require('node:assert/strict');
import os = require('node:os');
import { describe, test } from 'node:test';
import { loadScenario } from '../src/scenario.js';
import { workerCells } from '../src/workers/table.js';
import { workers, type WorkersOptions, type WorkersSample } from '../src/workers/workers.js';
import { attended } from './fixtures/attended.js';
import { twenty } from './fixtures/twenty.js';

const options: Omit<WorkersOptions, 'signal' | 'progress' | 'print'> = {
  nodes: [{ version: process.version, path: process.execPath }],
  rounds: 1,
  seconds: 0.1,
  warmup: 0.1,
  connections: 2,
  settled: 1,
  generator: twenty,
};

describe('the command with workers', { skip: process.platform === 'linux' ? false : 'it needs /proc' }, () => {
  test('is measured without a supervisor and with each number of workers', async () => {
    const { record, printed } = await attended((run) => workers({ ...options, ...run, most: 2 }));
    assert.equal(record.ended, 'complete', printed);
    assert.deepEqual(
      record.samples.map(({ workers: count, requests, serving }) => [count, requests > 0, serving.length]),
      [
        [0, true, 1],
        [1, true, 1],
        [2, true, 2],
      ],
    );
    assert.match(printed, /^\| no supervisor +\|/m);
  });

  test('is not measured when an answer is wrong', async (t) => {
    const { expected } = loadScenario('hello');
    const { body } = expected!;
    Object.assign(expected!, { body: 'other' });
    t.after(() => Object.assign(expected!, { body }));
    const printed: string[] = [];
    const { signal } = new AbortController();
    const run = { signal, progress: () => undefined, print: (text: string): unknown => printed.push(text) };
    const record = await workers({ ...options, ...run, most: 0, results: os.tmpdir() });
    assert.deepEqual([record.ended, record.samples], ['stopped', []]);
    assert.match(printed[0], /^wrong answer under 0 workers\nbody .*expected 5\b/);
  });

  test('shows the rate as a bar, and how unevenly workers share the work', () => {
    const sample = (count: number, requests: number, serving: number[]): WorkersSample => ({
      node: 'v24.0.0',
      workers: count,
      round: 0,
      requests,
      seconds: 2,
      serving,
      supervisor: count * 1000,
    });
    const [, one, two] = workerCells([sample(1, 1000, [9000]), sample(2, 2000, [12_000, 8000])]);
    assert.deepEqual(one, ['1', '█'.repeat(15), '500', '10.0 (0 %)', '1.00', '']);
    assert.deepEqual(two, ['2', '█'.repeat(30), '1,000', '11.0 (0 %)', '1.00', '40 %']);
  });
});
