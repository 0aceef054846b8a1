import assert = require('node:assert/strict');
import { test } from 'node:test';
import { asScript, differences } from './streams/differences.js';
import { servedStreams } from './streams/play.js';

/** Number of programs in the test run. */
const COUNT = 500;

// One seed for each major version of Node, so that each run is repeatable; `npm run fuzz:streams` takes others.
const seed = Number.parseInt(process.versions.node, 10);

test('random programs see and send the same over HTTP/2 as on node:http', async () => {
  const { groups, races } = await differences({ seed, count: COUNT });
  assert.deepEqual(groups.map(asScript), []);
  assert.ok(races < COUNT / 50, `${races} of ${COUNT} programs are not run alike twice by node`);
  assert.ok(servedStreams() >= COUNT, `${servedStreams()} streams of ${COUNT} were served by this package`);
});
