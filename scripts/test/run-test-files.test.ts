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

interface Runner {
  runTestFiles(
    checks: Checks,
    node: { major: string; version: string; path: string },
    files: readonly string[],
    options: { env: NodeJS.ProcessEnv; seconds?: number; again?: boolean },
  ): Promise<void>;
}

/** Runs one file of fixtures/ as `npm test` runs a test file. */
const runFixture = (name: string, seconds?: number): Promise<Checks & { readonly said: string }> =>
  runFixtures([name], { seconds });

async function runFixtures(
  names: readonly string[],
  options: { seconds?: number; again?: boolean; env?: NodeJS.ProcessEnv },
): Promise<Checks & { readonly said: string }> {
  const { runTestFiles } = (await import(pathToFileURL(inRepo('scripts/lib/run-test-files.mjs')).href)) as Runner;
  const lines: string[] = [];
  const checks: Checks = { passed: 0, skipped: 0, failures: [], unsteady: [], say: (line) => lines.push(line) };
  const node = { major: `fixture-${names[0]}`, version: process.version, path: process.execPath };
  const { NODE_TEST_CONTEXT: _, ...env } = { ...process.env, ...options.env };
  const files = names.map((name) => `scripts/test/fixtures/${name}.ts`);
  await runTestFiles(checks, node, files, { ...options, env });
  return { ...checks, said: lines.join('\n') };
}

const failure = (name: string, what: string): Checks['failures'][number] => ({
  where: `scripts/test/fixtures/${name}.ts (Node fixture-${name})`,
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
});
