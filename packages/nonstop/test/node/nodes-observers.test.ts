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
