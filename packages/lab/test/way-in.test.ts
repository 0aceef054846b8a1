import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { wayIn, type WayInOptions } from '../src/way-in/way-in.js';
import { attended } from './fixtures/attended.js';
import { twenty } from './fixtures/twenty.js';

const options: Omit<WayInOptions, 'signal' | 'progress' | 'print'> = {
  nodes: [{ version: process.version, path: process.execPath }],
  rounds: 1,
  seconds: 0.1,
  warmup: 0.1,
  connections: 1,
  settled: 1,
  generator: twenty,
};

describe('the way in', () => {
  test('measures each framework without and with the engine', async () => {
    const contestants = ['node:http', 'Koa', 'Fastify', 'Hapi', 'Hono', 'Polka'];
    const { record, printed } = await attended((run) => wayIn({ ...options, ...run, contestants }));
    assert.deepEqual(record.failures, []);
    assert.equal(record.ended, 'complete');
    // A server that is left to node exits before it listens, and has no sample.
    assert.deepEqual(
      record.samples.map(({ contestant }) => contestant),
      contestants.flatMap((name) => [name, `${name} + register`]),
    );
    for (const name of contestants) assert.ok(printed.includes(`| hello, ${name}`), name);
  });

  test('knows its frameworks', async () => {
    const run = attended((attendance) => wayIn({ ...options, ...attendance, contestants: ['Express 5'] }));
    await assert.rejects(run, /no framework 'Express 5' here; there are node:http, Koa/);
  });
});
