import assert = require('node:assert/strict');
import { test } from 'node:test';
import { inChangedNode } from '../support/without.js';

const ASKED = '[part.areDomainsUsed(), part.areResponsesTimed()]';

const cases: Readonly<Record<string, readonly [change: string, domains: boolean, timed: boolean]>> = {
  'there are no observers at first': ['', false, false],
  'domains are seen': ["require('node:domain');", true, false],
  'timings are seen': [
    "new (require('node:perf_hooks').PerformanceObserver)(() => {}).observe({ entryTypes: ['http'] });",
    false,
    true,
  ],
  'where a Node does not tell of domains, there are none': [
    "delete require('node:events').EventEmitter.usingDomains;",
    false,
    false,
  ],
};
for (const [name, [change, ...expected]] of Object.entries(cases)) {
  test(name, async () => assert.deepEqual(await inChangedNode(change, 'nodes-observers', ASKED), expected));
}

const TRACED =
  "const trace = require('node:trace_events').createTracing({ categories: ['node.http'] }); trace.enable();";

test('a trace is seen while it is on', async () => {
  const asked = `(() => {
    const seen = () => part.areResponsesTimed();
    const told = [seen(), seen()];
    trace.disable();
    told.push(seen(), seen());
    trace.enable();
    return [...told, seen(), seen()];
  })()`;
  assert.deepEqual(await inChangedNode(TRACED, 'nodes-observers', asked), [true, true, false, false, true, true]);
});

test('asking does not add requests to a trace that goes on', async () => {
  // node counts the requests of a trace.
  const asked = `(() => {
    const request = () => new http.ServerResponse({ headers: {} })._traceEventId;
    part.areResponsesTimed();
    const before = request();
    for (let tick = 0; tick < 3; tick++) part.areResponsesTimed();
    return request() - before;
  })()`;
  assert.equal(await inChangedNode(TRACED, 'nodes-observers', asked), 1);
});
