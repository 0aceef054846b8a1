import assert = require('node:assert/strict');
import { test } from 'node:test';
import vm = require('node:vm');
import { seeded } from '../support/seeded.js';
import { ProgramPlanner } from './random-program.js';
import { shrink } from './smaller.js';
import { runnable } from './write-program.js';

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
