import assert = require('node:assert/strict');
import fs = require('node:fs');
import { test } from 'node:test';
import { verify } from '../src/measure.js';
import { loadScenario, missing } from '../src/scenario.js';
import { inRepo } from '../../nonstop/test/support/paths.js';
import { withPeers } from './fixtures/with-peers.js';

const names = fs.readdirSync(inRepo('packages/lab/scenarios')).map((file) => file.replace(/\.js$/, ''));

for (const name of names) {
  const scenario = loadScenario(name);
  test(`every contestant of '${name}' gives the same answer as Express`, { skip: missing(scenario) }, async () => {
    assert.equal(scenario.name, name);
    const oracle = name.endsWith('-v4') ? 'Express 4' : 'Express 5';
    assert.ok(Object.hasOwn(scenario.peers, oracle), 'Express is the oracle');
    await withPeers(scenario, (peers) => verify(scenario, peers));
  });
}
