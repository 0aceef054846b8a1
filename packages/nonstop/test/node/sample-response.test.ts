import assert = require('node:assert/strict');
import { test } from 'node:test';
import { inChangedNode } from '../support/without.js';

const SUBSCRIBED = `
  const told = [];
  require('node:diagnostics_channel').subscribe('http.server.response.created', ({ request, response }) => {
    told.push(request.url);
    response.mine = request.socket?.remoteAddress;
  });
`;

test('subscribers do not learn of the response', async () => {
  assert.deepEqual(await inChangedNode(SUBSCRIBED, 'sample-response', '[part.sampleResponse().statusCode, told]'), [
    200,
    [],
  ]);
});

test('subscribers learn of later responses, on a Node that publishes them', async () => {
  const asked = `(() => {
    const tells = told.length;
    new http.ServerResponse({ url: '/before' });
    const before = told.length - tells;
    part.sampleResponse();
    new http.ServerResponse({ url: '/after' });
    return told.length === 2 * before;
  })()`;
  assert.equal(await inChangedNode(SUBSCRIBED, 'sample-response', asked), true);
});

const observers: Readonly<Record<string, string>> = {
  'a subscriber that writes to each response': SUBSCRIBED,
  "a PerformanceObserver for 'http'":
    "new (require('node:perf_hooks').PerformanceObserver)(() => {}).observe({ entryTypes: ['http'] });",
  'a trace': "require('node:trace_events').createTracing({ categories: ['node.http'] }).enable();",
};
for (const [name, change] of Object.entries(observers)) {
  test(`${name} is no reason to leave servers to node`, async () => {
    assert.deepEqual(await inChangedNode(change, 'unknown-node', 'part.REASONS_TO_LEAVE'), []);
  });
}
