import assert = require('node:assert/strict');
import { test } from 'node:test';
import vm = require('node:vm');
import { doors } from '../support/doors.js';
import { served } from '../support/served.js';
import { seeded } from '../support/seeded.js';
import { asProgram, differences } from './random-apps.js';
import { answeredOverHttp2 } from './random-apps-http2.js';
import { ProgramPlanner } from './random-program.js';
import { shrink } from './smaller.js';
import { runnable } from './write-program.js';

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

test('a program is shrunk to the part that its difference needs', async () => {
  const plan = new ProgramPlanner(seeded(11)).program(10);
  const wanted = 'res.status(201)';
  assert.ok(runnable(plan).includes(wanted), 'another seed is needed: this program does not hold what is looked for');
  const small = await shrink(plan, async (candidate) => runnable(candidate).includes(wanted), 5_000);
  assert.deepEqual([small.layers.length, small.requests.length, small.choices.length], [1, 1, 0]);
  assert.ok(runnable(small).includes(wanted));
});

// One that does not compile would end the search.
test('every smaller program compiles', async () => {
  let tried = 0;
  for (let seed = 0; seed < 30; seed++) {
    await shrink(new ProgramPlanner(seeded(seed)).program(2), async (candidate) => {
      const source = runnable(candidate);
      assert.doesNotThrow(() => new vm.Script(source), source);
      tried++;
      return false;
    });
  }
  assert.ok(tried > 1_000, `${tried} programs`);
});
