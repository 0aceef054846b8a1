import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compiled } from '../support/paths.js';

const PROGRAM = `
  const { runTicks } = require(${JSON.stringify(compiled('src/node/callback-scope.js'))});
  const ran = [];
  process.nextTick(() => ran.push('tick'));
  Promise.resolve().then(() => ran.push('microtask'));
  runTicks();
  console.log(ran.join());
`;

for (const flags of [[], ['--pending-deprecation'], ['--pending-deprecation', '--throw-deprecation']]) {
  test(`ticks and microtasks run, and node does not warn, with ${flags.join(' ') || 'no flags'}`, async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, '-e', PROGRAM]);
    assert.deepEqual({ stdout, stderr }, { stdout: 'tick,microtask\n', stderr: '' });
  });
}

test('where a Node has no such function, ticks wait for the end of the read', async () => {
  const text = `Object.defineProperty(process, '_tickCallback', { value: undefined });${PROGRAM}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', text]);
  assert.deepEqual({ stdout, stderr }, { stdout: '\n', stderr: '' });
});
