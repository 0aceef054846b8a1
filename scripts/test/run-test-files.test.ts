import assert = require('node:assert/strict');
import net = require('node:net');
import path = require('node:path');
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folder } from '../../packages/nonstop/test/support/folder.js';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

interface Checks {
  passed: number;
  skipped: number;
  failures: { where: string; what: string }[];
  unsteady: { where: string; what: string }[];
  say(line: string): void;
}

interface Options {
  readonly env?: NodeJS.ProcessEnv;
  readonly seconds?: number;
  readonly again?: boolean;
}

interface Batch extends Options {
  readonly node: { readonly major: string; readonly version: string; readonly path: string };
  readonly files: readonly string[];
}

interface Runner {
  runTestFiles(checks: Checks, batches: readonly Batch[]): Promise<void>;
}

/** Runs one file of fixtures/ as `npm test` runs a test file. */
const runFixture = (name: string, seconds?: number): Promise<Checks & { readonly said: string }> =>
  runFixtures([name], { seconds });

const runFixtures = (names: readonly string[], options: Options): Promise<Checks & { readonly said: string }> =>
  runBatches({ [`fixture-${names[0]}`]: names }, options);

/** @param batches files of fixtures/, by the name of the Node that runs them */
async function runBatches(
  batches: Readonly<Record<string, readonly string[]>>,
  options: Options,
): Promise<Checks & { readonly said: string }> {
  const { runTestFiles } = (await import(pathToFileURL(inRepo('scripts/lib/run-test-files.mjs')).href)) as Runner;
  const lines: string[] = [];
  const checks: Checks = { passed: 0, skipped: 0, failures: [], unsteady: [], say: (line) => lines.push(line) };
  const { NODE_TEST_CONTEXT: _, ...env } = { ...process.env, ...options.env };
  await runTestFiles(
    checks,
    Object.entries(batches).map(([major, names]) => ({
      ...options,
      node: { major, version: process.version, path: process.execPath },
      files: names.map(fixture),
      env,
    })),
  );
  return { ...checks, said: lines.join('\n') };
}

const fixture = (name: string): string => `scripts/test/fixtures/${name}.ts`;

const failure = (name: string, what: string): Checks['failures'][number] => ({
  where: `${fixture(name)} (Node fixture-${name})`,
  what,
});

/** Waits until nothing listens on the port: a killed process may need a moment to end. */
async function refusesConnections(port: number): Promise<void> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline;) {
    if ((await codeOfConnecting(port)) === 'ECONNREFUSED') return;
  }
  assert.fail(`a process still listens on ${port}`);
}

/** @returns undefined if a process listens */
function codeOfConnecting(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(undefined)).once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    socket.once('connect', () => socket.destroy());
  });
}

describe('the runner of test files', () => {
  test('counts passed tests', async () => {
    const { passed, skipped, failures } = await runFixture('passes');
    assert.deepEqual({ passed, skipped, failures }, { passed: 1, skipped: 0, failures: [] });
  });

  test('counts each failure once, requires a reason for a skip, and shows the error and the output', async () => {
    const { passed, skipped, failures, said } = await runFixture('mixed');
    assert.equal(passed, 1);
    assert.equal(skipped, 2);
    assert.deepEqual(failures, [
      failure('mixed', 'a suite > fails'),
      failure('mixed', 'a suite > nested > fails inside'),
      failure('mixed', 'is skipped without one is skipped without a reason'),
    ]);
    assert.match(said, /Expected values to be strictly equal/);
    assert.match(said, /mixed\.ts:7/);
    assert.match(said, /printed by the file/);
    assert.match(said, /is skipped with a reason \(for a reason\)/);
  });

  test('counts a suite that is skipped with a reason as skipped', async () => {
    const { passed, skipped, failures, said } = await runFixture('skips');
    assert.deepEqual({ passed, skipped, failures }, { passed: 0, skipped: 1, failures: [] });
    assert.match(said, /a suite that needs what is not here \(for a reason\)/);
  });

  test('fails a file without tests', async () => {
    const { passed, failures } = await runFixture('empty');
    assert.deepEqual({ passed, failures }, { passed: 0, failures: [failure('empty', 'holds no test')] });
  });

  test('fails a file whose process fails although its tests passed', async () => {
    const { failures } = await runFixture('crashes');
    assert.deepEqual(failures, [failure('crashes', 'ended with exit code 7 although no test failed')]);
  });

  test('ends a file that hangs, names it, and ends what it started', async () => {
    const { failures, said } = await runFixture('hangs', 10);
    const problem = 'did not end within 10 s; last finished test: then leaves a server running';
    assert.deepEqual(failures, [failure('hangs', problem)]);
    const port = Number(/^ *port (\d+)$/m.exec(said)?.[1]);
    assert.ok(port > 0, said);
    await refusesConnections(port);
  });

  test('runs failed files a second time where it may, and tells which passed only then', async () => {
    const file = path.join(folder({}), 'ran');
    const { passed, skipped, failures, unsteady, said } = await runFixtures(['passes-later', 'mixed'], {
      again: true,
      env: { NONSTOP_FIXTURE_RAN: file },
    });
    assert.deepEqual(unsteady, [
      { where: 'scripts/test/fixtures/passes-later.ts (Node fixture-passes-later)', what: 'fails at first' },
    ]);
    assert.deepEqual({ passed, skipped }, { passed: 2, skipped: 2 });
    assert.equal(failures.length, 3, 'what fails twice has failed, once');
    assert.match(said, /the first run/);
  });

  test('does not run files a second time where many failed', async () => {
    const file = path.join(folder({}), 'ran');
    const { failures, unsteady } = await runFixtures(['passes-later', 'mixed', 'crashes', 'empty'], {
      again: true,
      env: { NONSTOP_FIXTURE_RAN: file },
    });
    assert.deepEqual(unsteady, []);
    assert.equal(failures.length, 6);
  });

  test('runs the files of each Node, and says when it has run all of one', async () => {
    const { passed, failures, said } = await runBatches({ first: ['passes', 'empty'], second: ['passes'] }, {});
    assert.equal(passed, 2);
    assert.deepEqual(failures, [{ where: `${fixture('empty')} (Node first)`, what: 'holds no test' }]);
    for (const line of [
      /^ok {4}scripts\/test\/fixtures\/passes\.ts \(Node first\) {2}1 tests/m,
      /^ok {4}scripts\/test\/fixtures\/passes\.ts \(Node second\) {2}1 tests/m,
      /^ {6}Node first \(v.*\) done: 2 files, 1 tests, 1 files failed {2}/m,
      /^ {6}Node second \(v.*\) done: 1 files, 1 tests {2}/m,
    ])
      assert.match(said, line);
  });

  test('many failed files of one Node keep no other Node from a second run', async () => {
    const env = { NONSTOP_FIXTURE_RAN: path.join(folder({}), 'ran') };
    const batches = { broken: ['mixed', 'crashes', 'empty', 'is-not-there'], other: ['passes-later'] };
    const { failures, unsteady } = await runBatches(batches, { again: true, env });
    assert.deepEqual(unsteady, [{ where: `${fixture('passes-later')} (Node other)`, what: 'fails at first' }]);
    assert.ok(
      failures.every(({ where }) => where.endsWith(' (Node broken)')),
      JSON.stringify(failures),
    );
  });
});
