import assert = require('node:assert/strict');
import fs = require('node:fs');
import { test } from 'node:test';
import { verify } from '../src/measure.js';
import { isInstalled } from '../src/on-demand.js';
import { Peer } from '../src/peer.js';
import { loadScenario, missing, type Scenario } from '../src/scenario.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { inRepo } from '../../nonstop/test/support/paths.js';
import { withPeers } from './fixtures/with-peers.js';

const names = fs.readdirSync(inRepo('packages/lab/scenarios')).map((file) => file.replace(/\.js$/, ''));

for (const name of names) {
  const scenario = loadScenario(name);
  const skip = missing(scenario) ?? uninstalled(scenario);
  test(`every contestant of '${name}' gives the same answer as Express`, { skip }, async () => {
    assert.equal(scenario.name, name);
    const compared = scenario.load?.streams === undefined ? scenario : withExpressOver1(scenario);
    const oracle = name.endsWith('-v4') ? 'Express 4' : 'Express 5';
    assert.ok(Object.hasOwn(compared.peers, oracle), 'Express is the oracle');
    await withPeers(compared, (peers) => verify(compared, peers));
  });
}

const withStore = loadScenario('session-valkey');
test('a contestant with a session store of its own leaves nothing behind', { skip: missing(withStore) }, async () => {
  const place = folder({});
  const source = withStore.peers['Nonstop'];
  const env = { ...source.env, TMPDIR: place };
  const peer = await Peer.start({ ...source, env }, { node: process.execPath, scenario: withStore.name });
  const left = fs.readdirSync(place).length;
  await peer.stop();
  assert.deepEqual([left, fs.readdirSync(place)], [1, []]);
});

function uninstalled({ name, onDemand = [] }: Scenario): string | undefined {
  if (onDemand.every((spec) => isInstalled(spec))) return undefined;
  return `its packages are installed by npm run lab -- board --row ${name} --quick`;
}

/** Express has no HTTP/2: it is asked over HTTP/1.1. */
function withExpressOver1(scenario: Scenario): Scenario {
  const { env } = scenario.peers['Nonstop'];
  const express = { file: 'express.js', env: { ...env, DOOR: 'listen' }, load: {} };
  return { ...scenario, expected: undefined, peers: { 'Express 5': express, ...scenario.peers } };
}
