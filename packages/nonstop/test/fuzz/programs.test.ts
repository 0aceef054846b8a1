import assert = require('node:assert/strict');
import { test } from 'node:test';
import { asScript, differences } from './programs/differences.js';
import { openClass } from './programs/known.js';

// One seed, so that a run on another day is the same run; `npm run fuzz:programs` takes others, and all kinds of programs.
test('random programs see and send on the engine what they do behind node:http', async () => {
  const leavesOut = (program: Parameters<typeof openClass>[0]): boolean => openClass(program) !== undefined;
  const { groups, played, races } = await differences({ seed: 1, count: 12_000, leavesOut });
  assert.deepEqual(groups.map(asScript), []);
  assert.ok(played > 50, `only ${played} programs were played`);
  assert.ok(races < played / 50, `${races} of ${played} programs are not run alike twice by node`);
});
