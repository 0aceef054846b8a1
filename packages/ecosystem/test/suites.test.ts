import assert = require('node:assert/strict');
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inRepo } from '../../nonstop/test/support/paths.js';

type Readers = Record<string, { args(file: string): string[]; read(report: string): string[] }>;

const load = async <T>(file: string): Promise<T> =>
  (await import(pathToFileURL(inRepo('packages/ecosystem/src', file)).href)) as T;

test('a report in the Test Anything Protocol names its passed tests, with those of subtests', async () => {
  const { readers } = await load<{ readers: Readers }>('suite-results.mjs');
  const report = `TAP version 14
# Subtest: outer
    ok 1 - inner
    not ok 2 - other
not ok 1 - outer
ok 2 should be equal
ok 3 - later # time=3ms
ok 4 - left out # SKIP
ok 5 - some day # TODO not written
`;
  for (const name of ['node', 'tape'])
    assert.deepEqual(readers[name].read(report), ['inner', 'should be equal', 'later'], name);
});

test('each suite has a runner that is known', async () => {
  const { readers } = await load<{ readers: Readers }>('suite-results.mjs');
  const { suites } = await load<{ suites: Record<string, { runner: string }> }>('suite-list.mjs');
  for (const [name, { runner }] of Object.entries(suites)) assert.ok(runner in readers, name);
});

test('what is loaded before a suite leaves the arguments of events as they are', () => {
  const program = `const { createServer } = require('node:http');
    const server = createServer().listen(0, '127.0.0.1', (...args) => server.close(() => console.log(args.length)));`;
  const output = execFileSync(
    process.execPath,
    ['--require', inRepo('packages/ecosystem/child/suite-preload.cjs'), '--eval', program],
    { env: { ...process.env, ECOSYSTEM_NONSTOP: inRepo('packages/nonstop/dist/entry'), ECOSYSTEM_TALLY: '' } },
  );
  assert.equal(String(output).trim(), '0');
});
