import assert = require('node:assert/strict');
import { test } from 'node:test';
import { doors } from '../support/doors.js';
import { served } from '../support/served.js';
import { asProgram, differences } from './random-apps.js';
import { answeredOverHttp2 } from './random-apps-http2.js';

// One seed for each major version of Node, so that each run is repeatable: ten thousand answers over the four versions.
// `npm run fuzz:apps` takes other seeds.
const seed = Number.parseInt(process.versions.node, 10);

test('2,500 answers of random applications are those of Express, through both doors and over HTTP/2', async () => {
  const found = await differences({ seed, count: 2_500 });
  assert.deepEqual(found.map(asProgram), []);
  const [, engine] = doors;
  assert.ok(answeredOverHttp2() >= 600, `${answeredOverHttp2()} answers over HTTP/2`);
  assert.ok(served()[engine.serves] >= 2_000, `${served()[engine.serves]} requests served by ${engine.serves}`);
});
