import { PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';

interface HttpEntry extends PerformanceEntry {
  readonly detail: {
    req: { method: string; url: string; headers: object };
    res: { statusCode: number; headers: object };
  };
}

/** Observes `'http'` entries while one scenario runs. */
function observed(scenario: Scenario): Scenario {
  return {
    ...scenario,
    check: ({ events }) => {
      const entries = (events['entry'] ?? []).map((entry) => (entry as [string])[0]);
      // The probe after a scenario has an entry too.
      assert.deepEqual(entries, Array((scenario.answers ?? 1) + 1).fill('HttpRequest'), 'one entry for each answer');
    },
    setup: (server, log) => {
      const observer = new PerformanceObserver((list) => note(list.getEntries()));
      const note = (entries: readonly PerformanceEntry[]): void => {
        for (const { name, duration, startTime, detail } of entries as HttpEntry[]) {
          const { headers } = detail.res;
          log('entry', name, [duration >= 0, startTime > 0, detail.req, { ...detail.res, headers: { ...headers } }]);
        }
      };
      observer.observe({ type: 'http' });
      server.once('close', () => {
        note(observer.takeRecords());
        observer.disconnect();
      });
    },
  };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

const scenarios: readonly Scenario[] = [
  { name: 'a PerformanceObserver gets a request', send: get('/one') },
  {
    name: 'a PerformanceObserver gets pipelined requests',
    send: get('/one') + get('/two'),
    answers: 2,
    handler: (req, res) => {
      res.setHeader('X-Of', req.url ?? '');
      res.end('x');
    },
  },
  {
    name: 'a PerformanceObserver gets an answer in pieces',
    send: get('/one'),
    handler: (_req, res) => {
      res.statusCode = 201;
      res.write('a');
      res.end('b');
    },
  },
];

eachSameThroughBothDoors(scenarios.map(observed));
