import assert = require('node:assert/strict');
import { test } from 'node:test';
import { doors } from '../../support/doors.js';
import { middlewareComplaints, middlewareSoak, type MiddlewareSoak } from './run.js';

/** Some ten seconds for each door. */
const TURNS = 6_000;

for (const { serves } of doors) {
  test(`sessions, uploads, compressed and proxied answers go to the right client, with forty clients of all kinds through ${serves}`, async () => {
    let turns = 0;
    const options: MiddlewareSoak = { door: serves, clients: 40, seed: 11, over: () => turns++ > TURNS };
    const balance = await middlewareSoak(options);
    assert.deepEqual(middlewareComplaints(options, balance), []);
    assert.ok(balance.answered > TURNS / 2, `${balance.answered} answers`);
  });
}
