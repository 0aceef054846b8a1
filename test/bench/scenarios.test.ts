import assert = require('node:assert/strict');
import fs = require('node:fs');
import { test } from 'node:test';
import { ask } from '../../bench/lab/ask.js';
import { Peer } from '../../bench/lab/peer.js';
import { loadScenario, type Expected } from '../../bench/lab/scenario.js';
import { blank, differences, expectationFrom } from '../../bench/lab/verify.js';
import { inRepo } from '../support/paths.js';

const names = fs.readdirSync(inRepo('bench/scenarios')).map((file) => file.replace(/\.js$/, ''));

for (const name of names) {
  const scenario = loadScenario(name);
  test(`every contestant of '${name}' gives the same answer as Express`, async () => {
    assert.equal(scenario.name, name);
    assert.ok(Object.hasOwn(scenario.peers, 'Express 5'), 'Express is the oracle');
    let expected: Expected | undefined = scenario.expected;
    for (const [contestant, source] of Object.entries(scenario.peers)) {
      const peer = await Peer.start(source, { node: process.execPath, scenario: name });
      try {
        const answer = await ask(peer.port, scenario.request);
        expected ??= expectationFrom(answer, scenario);
        assert.deepEqual(differences(blank(answer, scenario), expected), [], contestant);
      } finally {
        await peer.stop();
      }
    }
  });
}
