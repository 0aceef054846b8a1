import assert = require('node:assert/strict');
import http = require('node:http');
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { autocannon, parseAutocannon } from '../../bench/lab/autocannon.js';
import type { Generator, LoadPlan } from '../../bench/lab/load.js';
import { findWrk, parseWrk } from '../../bench/lab/wrk.js';

const wrk = findWrk();
const generators: readonly Generator[] = wrk === undefined ? [autocannon] : [autocannon, wrk];

/** Loads a server for a third of a second by one request, again and again, and ends the server. */
async function load(generator: Generator, listener: http.RequestListener, request: LoadPlan['request']) {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await generator.run({ port, request, connections: 4, seconds: 0.3 });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

for (const generator of generators) {
  describe(generator.name, () => {
    test('counts the answers that a server gave', async () => {
      let answered = 0;
      const listener: http.RequestListener = (_req, res) => {
        answered++;
        res.end('hello');
      };
      const result = await load(generator, listener, { method: 'GET', path: '/' });
      assert.ok(result.requests > 0);
      // Requests that were on their way at the end are answered and not counted, at most one on each connection.
      assert.ok(answered >= result.requests && answered <= result.requests + 8, `${answered} of ${result.requests}`);
      assert.ok(result.seconds > 0 && result.p50 >= 0 && result.p99 >= result.p50, JSON.stringify(result));
      assert.deepEqual(result.errors, {});
    });

    test('sends the method, path, fields and body of the scenario', async () => {
      const seen = new Set<string>();
      const listener: http.RequestListener = (req, res) => {
        let body = '';
        req.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        req.on('end', () => {
          seen.add(JSON.stringify([req.method, req.url, req.headers['x-field'], body]));
          res.end('ok');
        });
      };
      const headers = { 'Content-Type': 'application/json', 'X-Field': 'a b' };
      const request = { method: 'POST', path: '/a?b=c', headers, body: '{"quotes":"\\"\'$ %d"}' };
      const result = await load(generator, listener, request);
      assert.deepEqual(result.errors, {});
      assert.deepEqual([...seen], [JSON.stringify(['POST', '/a?b=c', 'a b', request.body])]);
    });

    test('reports answers other than 2xx as errors', async () => {
      const result = await load(generator, (_req, res) => res.writeHead(500).end(), { method: 'GET', path: '/' });
      assert.deepEqual(Object.keys(result.errors), ['status']);
    });

    test('can be ended', async () => {
      const signal = AbortSignal.abort();
      const plan = { port: 9, request: { method: 'GET', path: '/' }, connections: 1, seconds: 60 };
      await assert.rejects(generator.run(plan, signal), { name: 'AbortError' });
    });
  });
}

describe('the report of wrk', () => {
  const report = [
    'Running 6s test @ http://127.0.0.1:1/',
    '  1 threads and 50 connections',
    '  10 requests in 1.00s, 2KB read',
    'lab {"requests":1000,"microseconds":500000,"p50":1500,"p99":27000,"connect":1,"read":2,"write":0,"status":8,"timeout":0}',
    '',
  ].join('\n');

  test('is read from its own line, in seconds and milliseconds', () => {
    assert.deepEqual(parseWrk(report), {
      requests: 1000,
      seconds: 0.5,
      p50: 1.5,
      p99: 27,
      errors: { connect: 1, read: 2, status: 8 },
    });
  });

  test('is an error with the output when the line is not there', () => {
    assert.throws(() => parseWrk('unable to connect to 127.0.0.1:1 Connection refused'), /Connection refused/);
  });
});

test("autocannon's result counts every kind of failure as an error", () => {
  const latency = { p50: 2, p99: 9 };
  const failures = { errors: 1, timeouts: 2, non2xx: 4 };
  const result = { requests: { total: 90 }, latency, duration: 1.5, '2xx': 86, ...failures };
  assert.deepEqual(parseAutocannon(result), {
    requests: 90,
    seconds: 1.5,
    p50: 2,
    p99: 9,
    errors: { connection: 1, timeout: 2, status: 4 },
  });
});
