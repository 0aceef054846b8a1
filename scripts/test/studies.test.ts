import assert = require('node:assert/strict');
import fs = require('node:fs');
import { pathToFileURL } from 'node:url';
import { before, describe, test } from 'node:test';
import { emptyRecord, sample } from '../../packages/lab/test/fixtures/records.js';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface Kept {
  readonly command: string;
  readonly setup: string;
  readonly compared: readonly (readonly string[])[];
}

interface StudiesModule {
  keptStudy(record: object, lab: (file: string) => unknown): Kept;
  studyText(kept: Kept): string;
}

/** The study `query-api` on one Node, three rounds. */
const record = (change: object = {}): object => {
  const cpu = { 'node:http': 40, 'Express 5': 80, Nonstop: 30 };
  const samples = Object.entries(cpu).flatMap(([name, value]) =>
    [0, 1, 2].map((round) =>
      sample('query-api', name, {
        node: 'v24.1.0',
        round,
        connections: 100,
        cpu: value + round,
        requests: 1000,
        seconds: value / 100,
      }),
    ),
  );
  const settings = { rounds: 3, seconds: 10, warmup: 2, requests: 1000, connections: 100 };
  return { ...emptyRecord('study-query-api', { settings }), study: 'query-api', samples, ...change };
};

describe('the tables of the studies', () => {
  let studies: StudiesModule;
  before(async () => {
    studies = await import(pathToFileURL(inRepo('scripts/lib/studies.mjs')).href);
  });
  const lab = (file: string): unknown => require(inRepo('.build/packages/lab/src', file));

  test('have medians by contestant, what was published, and how to repeat it', () => {
    const kept = studies.keptStudy(record(), lab);
    const text = studies.studyText(kept);
    assert.match(text, /\| Nonstop \| 31\.0 \| 6 % \|/);
    assert.match(text, /\| 24 \| requests\/s \| node:http ÷ Express 5 \| .* \| 100 \| 2\.10 \| 2\.00 \| 2\.67 \|/);
    assert.equal(kept.command, "npm run lab -- study query-api --node 24 --contestants 'node:http,Express 5,Nonstop'");
    assert.match(kept.setup, /1,000 requests a sample; 3 rounds/);
  });

  test('are not made of a record that is short, interrupted or of something else', () => {
    const kept = (change: object) => () => studies.keptStudy(record(change), lab);
    assert.throws(kept({ ended: 'interrupted' }), /not complete \(interrupted\)/);
    assert.throws(kept({ settings: { quick: true } }), /short run/);
    assert.throws(kept({ kind: 'board' }), /is of 'board', not of a study/);
    const failures = [{ scenario: 'query-api', contestant: 'Koa', node: 'v24.1.0', problem: 'it crashed' }];
    assert.throws(kept({ failures }), /^Error: Koa failed in query-api on Node v24\.1\.0: /);
  });

  test('of a changed checkout say so', () => {
    const kept = studies.keptStudy(record({ commit: `${'0123456789'.repeat(4)}-dirty` }), lab);
    assert.match(studies.studyText(kept), /, commit 0123456, changed\. /);
  });

  test('stand in docs/guide/studies.md as they are kept', () => {
    const page = fs.readFileSync(inRepo('docs/guide/studies.md'), 'utf8');
    const kept = JSON.parse(fs.readFileSync(inRepo('docs/.vitepress/studies.json'), 'utf8')) as Record<string, Kept>;
    for (const name of ['query-api', 'echo', 'hello', 'getter', 'crud'])
      assert.ok(page.includes(`\n${studies.studyText(kept[name])}\n`), `npm run studies would change the part ${name}`);
  });
});
