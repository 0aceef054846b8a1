import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import http2 = require('node:http2');
import type { AddressInfo, Server } from 'node:net';
import { describe, test } from 'node:test';
import { findH2load, parseH2load } from '../src/h2load.js';
import type { Generator, LoadPlan } from '../src/load.js';
import { certificate } from '../../nonstop/test/support/certificate.js';

const h2load = findH2load();
const skip = h2load === undefined && process.env['CI'] !== 'true' && 'h2load is not installed';

type Listener = (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void;

const hello: Listener = (_req, res) => {
  res.writeHead(200, { 'content-length': 5 });
  res.end('hello');
};

interface Change extends Partial<LoadPlan> {
  /** Over HTTP/2 in clear text when left out. */
  readonly server?: Server;
}

/** Loads a server with 200 requests, and ends it. @returns the result, and how many connections were opened */
async function load(listener: Listener, { server = http2.createServer(), ...change }: Change = {}) {
  let opened = 0;
  server.on('secureConnection' in server ? 'secureConnection' : 'connection', () => opened++);
  server.on('request', listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const request = { method: 'GET', path: '/' };
    const plan = { port, request, shape: { streams: 10 }, connections: 2, seconds: 60, requests: 200, ...change };
    return { ...(await (h2load as Generator).run(plan)), opened };
  } finally {
    server.close();
  }
}

describe('h2load', { skip }, () => {
  test('counts the answers that a server gave over HTTP/2, with percentiles', async () => {
    let answered = 0;
    const result = await load((req, res) => {
      assert.equal(req.httpVersion, '2.0');
      answered++;
      hello(req, res);
    });
    assert.deepEqual(result.errors, {});
    assert.deepEqual([result.requests, answered], [200, 200]);
    assert.ok(result.seconds > 0 && result.p50 > 0 && result.p99 >= result.p50, JSON.stringify(result));
    assert.equal(result.opened, 2);
  });

  test('has the number of streams open at once, on the connections of the shape', async () => {
    let open = 0;
    let most = 0;
    const listener: Listener = (req, res) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        hello(req, res);
      });
    };
    const { errors, opened } = await load(listener, { shape: { streams: 25, connections: 1 } });
    assert.deepEqual([errors, opened], [{}, 1]);
    assert.ok(most > 10 && most <= 25, `${most} streams at once`);
  });

  test('sends the method, path, fields and body of the scenario', async () => {
    const seen = new Set<string>();
    const request = { method: 'PUT', path: '/a?b=c', headers: { 'X-Field': 'a b' }, body: '{"quotes":"\\"\'$ %d"}' };
    const { errors } = await load(
      (req, res) => {
        let body = '';
        req.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        req.on('end', () => {
          seen.add(JSON.stringify([req.method, req.url, req.headers['x-field'], body]));
          res.end('ok');
        });
      },
      { request },
    );
    assert.deepEqual(errors, {});
    assert.deepEqual([...seen], [JSON.stringify(['PUT', '/a?b=c', 'a b', request.body])]);
  });

  test('speaks HTTP/2 and HTTP/1.1 over TLS', async () => {
    for (const [shape, wanted] of [
      [{ streams: 2, secure: true }, '2.0'],
      [{ secure: true }, '1.1'],
    ] as const) {
      const versions = new Set<string>();
      const server = http2.createSecureServer({ ...certificate(), allowHTTP1: true });
      const listener: Listener = (req, res) => {
        versions.add(req.httpVersion);
        hello(req, res);
      };
      const { errors, requests } = await load(listener, { server, shape });
      assert.deepEqual(errors, {});
      assert.ok(requests > 0);
      assert.deepEqual([...versions], [wanted]);
    }
  });

  test('speaks HTTP/1.1 in clear text without a number of streams', async () => {
    const { errors, requests } = await load(hello, { server: http.createServer(), shape: {} });
    assert.deepEqual(errors, {});
    assert.ok(requests > 0);
  });

  test('sends as many requests as its time is expected to take', async () => {
    let answered = 0;
    const listener: Listener = (req, res) => {
      answered++;
      hello(req, res);
    };
    const { requests, errors } = await load(listener, { requests: undefined, seconds: 0.3 });
    assert.deepEqual(errors, {});
    // Ten for each stream were sent before, to find out.
    assert.deepEqual([requests >= 20, answered], [true, requests + 200]);
  });

  test('reports answers other than 2xx, and streams that are reset, as errors', async () => {
    const refused = await load((_req, res) => {
      res.writeHead(500);
      res.end();
    });
    assert.deepEqual(Object.keys(refused.errors), ['status']);
    const reset = await load((_req, res) => res.stream.close(http2.constants.NGHTTP2_CANCEL), { requests: 5 });
    assert.deepEqual(reset.errors, { stream: 5 });
  });

  test('can be stopped', async () => {
    const plan = { port: 9, request: { method: 'GET', path: '/' }, connections: 1, seconds: 60 };
    await assert.rejects((h2load as Generator).run(plan, AbortSignal.abort()), { name: 'AbortError' });
  });

  for (const shape of [{ varied: true }, { keepAlive: false }, { pipeline: 2 }]) {
    test(`refuses ${Object.keys(shape).join()}, which it would ignore`, () =>
      assert.rejects(load(hello, { shape: { streams: 1, ...shape } }), /use another generator/));
  }
});

describe('the report of h2load', () => {
  const report = [
    'starting benchmark...',
    'finished in 512.34ms, 780.00 req/s, 21.41KB/s',
    'requests: 400 total, 420 started, 400 done, 380 succeeded, 20 failed, 8 errored, 3 timeout',
    'status codes: 380 2xx, 1 3xx, 2 4xx, 9 5xx',
    'traffic: 2.14KB (2192) total, 236B (236) headers (space savings 91.26%), 300B (300) data',
    '',
  ].join('\n');

  test('is read in seconds, with percentiles from the log, in milliseconds', () => {
    const log = Array.from({ length: 100 }, (_, i) => `1795366714070733\t200\t${(100 - i) * 1000}\n`).join('');
    assert.deepEqual(parseH2load(report, `${log}1795366714070733\t-1\t9000000\n`), {
      requests: 392,
      seconds: 0.51234,
      p50: 51,
      p99: 100,
      errors: { status: 12, stream: 5, timeout: 3 },
    });
    assert.equal(parseH2load(report.replace('512.34ms', '1.50s'), log).seconds, 1.5);
  });

  test('is an error with the output when there is none', () => {
    assert.throws(() => parseH2load('h2load: option requires an argument', ''), /option requires an argument/);
  });
});
