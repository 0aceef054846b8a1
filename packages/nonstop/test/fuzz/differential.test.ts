import assert = require('node:assert/strict');
import { test } from 'node:test';
import { doors } from '../support/doors.js';
import { openDifference } from '../support/open-differences.js';
import { served } from '../support/served.js';
import { asCase, differences } from './differential.js';

const NAME = 'five thousand generated connections are judged by the engine as by node:http';

// One seed for each major version of Node, so that each run is repeatable: twenty thousand connections over the four versions.
// `npm run fuzz` takes other seeds.
const seed = Number.parseInt(process.versions.node, 10);

test(NAME, { skip: openDifference(NAME) }, async () => {
  const found = await differences({ seed, count: 5_000 });
  assert.deepEqual(found.map(asCase), []);
  const [, engine] = doors;
  assert.ok(served()[engine.serves] >= 2_000, `${served()[engine.serves]} requests served by ${engine.serves}`);
});
