import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compiled } from '../support/paths.js';
import { inChangedNode, without } from '../support/without.js';

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

test('on a Node without process._tickCallback, ticks wait for the end of the read', async () => {
  const text = `Object.defineProperty(process, '_tickCallback', { value: undefined });${PROGRAM}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', text]);
  assert.deepEqual({ stdout, stderr }, { stdout: '\n', stderr: '' });
});

test('on a Node that keeps the frame of stores elsewhere, another context is not taken for the current one', async () => {
  const asked = `(() => {
    const { AsyncLocalStorage } = require('node:async_hooks');
    const store = new AsyncLocalStorage();
    const context = part.captureContext();
    return [part.isCurrentContext(context), store.run(1, () => part.isCurrentContext(context))];
  })()`;
  assert.deepEqual(await inChangedNode('', 'callback-scope', asked), [true, false]);
  const [, elsewhere] = (await inChangedNode(without.symbol('context_frame'), 'callback-scope', asked)) as boolean[];
  assert.equal(elsewhere, false);
});
