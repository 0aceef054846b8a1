import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Command, programs } from '../support/nonstop-command.js';
import { drains } from './drains.js';

for (const engine of ['nonstop', 'node']) {
  describe(`a drain of one process loses nothing, with NONSTOP_ENGINE=${engine}`, () => drains(engine, []));
}

test('a hook that blocks the event loop ends with the process, after all limits', async () => {
  const cwd = programs({
    'app.cjs': `
      require('nonstop/production').onShutdown('blocks', () => { for (;;); });
      module.exports = (req, res) => res.end();`,
    'preload.cjs': `if (require('node:worker_threads').workerData?.line) require('node:fs').writeSync(2, 'loaded in the thread\\n');`,
  });
  const limits = ['--grace', '0', '--hook-timeout', '1ms'];
  const command = new Command(['--port', '0', '--host', '127.0.0.1', ...limits, 'app.cjs'], {
    cwd,
    env: { NODE_OPTIONS: '--require ./preload.cjs' },
  });
  await command.ready();
  command.child.kill('SIGTERM');
  assert.deepEqual(await command.ended, { status: null, signal: 'SIGKILL' });
  const said = command.lines.filter((line) => line.startsWith('nonstop: '));
  assert.equal(said.at(-1), 'nonstop: cut: all that this process had in hand: its event loop was blocked');
  assert.ok(!command.lines.includes('loaded in the thread'), command.lines.join('\n'));
});
