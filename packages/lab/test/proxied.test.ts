import assert = require('node:assert/strict');
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../src/ask.js';
import { loadScenario } from '../src/scenario.js';
import { withPeers } from './fixtures/with-peers.js';

// A contestant waits for the samples of the others, for longer than node keeps an idle connection.
test('a server behind the proxy answers after it has closed its idle connections', async () => {
  const scenario = loadScenario('proxy');
  const { 'node:http': byHand } = scenario.peers;
  const peer = { ...byHand, env: { ...byHand.env, KEEP_ALIVE_TIMEOUT: '100' } };
  await withPeers({ ...scenario, peers: { peer } }, async (peers) => {
    const { port } = peers.get('peer')!;
    // node adds a second to the timeout.
    for (const pause of [0, 1500, 1500]) {
      await wait(pause);
      const { status } = await ask(port, scenario.request);
      assert.equal(status, 200);
    }
  });
});
