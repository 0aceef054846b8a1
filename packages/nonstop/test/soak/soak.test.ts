import assert = require('node:assert/strict');
import { test } from 'node:test';
import { doors } from '../support/doors.js';
import { ENDINGS, idle } from './idle.js';
import { complaints, soak } from './soak.js';

const TURNS = 800;

for (const door of doors) {
  test(`nothing is lost, crossed or leaked with sixty clients of all kinds through ${door.name}`, async () => {
    let turns = 0;
    const balance = await soak({ door, clients: 60, seed: 5, over: () => turns++ > TURNS });
    assert.deepEqual(complaints(balance), []);
    assert.ok(balance.answered > TURNS, `${balance.answered} answers`);
  });
}

for (const ending of ENDINGS) {
  test(`${ending}() ends a thousand idle connections`, async () => {
    const [, engine] = doors;
    assert.deepEqual(await idle({ door: engine, connections: 1_000, ending }), { open: 1_000, ended: 1_000, left: 0 });
  });
}
