import assert = require('node:assert/strict');
import { test } from 'node:test';
import { asScript, differences } from './programs/differences.js';

/** Number of programs in the test run. */
const COUNT = 500;

// One seed, so that each run is repeatable; `npm run fuzz:programs` takes others.
test('random programs see and send the same on the engine as on node:http', async () => {
  const { groups, races } = await differences({ seed: 1, count: COUNT });
  assert.deepEqual(groups.map(asScript), []);
  assert.ok(races < COUNT / 50, `${races} of ${COUNT} programs are not run alike twice by node`);
});
