import assert = require('node:assert/strict');
import { test } from 'node:test';
import { doors } from '../../support/doors.js';
import { middlewareComplaints, middlewareSoak, type MiddlewareSoak, type Sample } from './run.js';

/** About ten seconds for each door. */
const TURNS = 6_000;

for (const { serves } of doors) {
  test(`sessions, uploads, compressed and proxied answers go to the right client, with forty clients of all kinds through ${serves}`, async () => {
    let turns = 0;
    const options: MiddlewareSoak = { door: serves, clients: 40, seed: 11, over: () => turns++ > TURNS };
    const balance = await middlewareSoak(options);
    assert.deepEqual(middlewareComplaints(options, balance), []);
    assert.ok(balance.answered > TURNS / 2, `${balance.answered} answers`);
  });
}

const MB = 1024 * 1024;
/** A process of 280 MB, which grows by `step` in the middle. */
const samples = (step: Partial<Record<'heapUsed' | 'rss', number>>): Sample[] =>
  Array.from({ length: 20 }, (_none, i) => ({
    heapUsed: 13 * MB + (i < 10 ? 0 : (step.heapUsed ?? 0)),
    external: 2 * MB,
    rss: 280 * MB + (i < 10 ? 0 : (step.rss ?? 0)),
    open: 0,
    requests: 10,
    finished: 10,
    cut: 0,
    failed: 0,
    served: { engine: 10, 'node:http': 0 },
    warnings: [],
  }));

for (const [what, step, beside, complaints] of [
  ['a level process', {}, undefined, []],
  ['a heap that grew', { heapUsed: 2 * MB }, samples({}), ['heap and buffers grew by 2048 kB']],
  ['a process that grew', { rss: 28 * MB }, undefined, ['the process grew by 28 MB']],
  [
    "a process that grew beside node:http's, which did not",
    { rss: 28 * MB },
    samples({}),
    ['the process grew by 28 MB'],
  ],
  ["a process that grew as node:http's did", { rss: 28 * MB }, samples({ rss: 20 * MB }), []],
] as const) {
  test(`${what} has ${complaints.length} complaints`, () => {
    const all = samples(step);
    const balance = { sent: 10, answered: 10, abandoned: 0, faults: [], samples: all, last: all[0] };
    assert.deepEqual(middlewareComplaints({ door: 'engine', long: true, beside }, balance), complaints);
  });
}
