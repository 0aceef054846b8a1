import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import http = require('node:http');
import https = require('node:https');
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { findAb, parseAb } from '../src/ab.js';
import { autocannon, parseAutocannon } from '../src/autocannon.js';
import { findCurlMulti } from '../src/curl-multi.js';
import { findH2load } from '../src/h2load.js';
import { runGenerator } from '../src/generator-process.js';
import { preferred, required } from '../src/generators.js';
import type { Generator, LoadPlan } from '../src/load.js';
import { findWrk, parseReport } from '../src/wrk.js';
import { certificate } from '../../nonstop/test/support/certificate.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { withoutPrograms } from './fixtures/without-programs.js';

const wrk = findWrk();
const ab = findAb();
const curlMulti = findCurlMulti();
const h2load = findH2load();
const present = (found: readonly (Generator | undefined)[]): Generator[] => found.filter((one) => one !== undefined);
const all = present([autocannon, wrk, ab, curlMulti]);

/** ab and the libcurl client send GET without a body, one at a time. */
const versatile = present([autocannon, wrk]);

type Change = Partial<LoadPlan>;

/** Loads a server with one request 200 times or, with wrk, for a third of a second, and ends the server. */
async function load(generator: Generator, listener: http.RequestListener, change: Change = {}) {
  const server = change.shape?.secure ? https.createServer(certificate(), listener) : http.createServer(listener);
  let connections = 0;
  server.on('connection', () => connections++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const request = { method: 'GET', path: '/' };
    const result = await generator.run({ port, request, connections: 4, seconds: 0.3, requests: 200, ...change });
    return { ...result, opened: connections };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const hello: http.RequestListener = (_req, res) => {
  res.writeHead(200, { 'Content-Length': 5 }).end('hello');
};

// In CI each generator is installed: otherwise its tests would be skipped silently.
const mustBeThere = process.env['CI'] === 'true';
for (const name of ['ab', 'curl-multi', 'h2load', 'wrk'] as const) {
  const here = [...all, ...present([h2load])].some((generator) => generator.name === name);
  const skip = !here && !mustBeThere && preferred(name).note;
  test(`${name} is there`, { skip }, () => assert.equal(required(name).name, name));
}

for (const generator of all) {
  describe(generator.name, () => {
    test('counts the answers that a server gave', async () => {
      let answered = 0;
      const listener: http.RequestListener = (req, res) => {
        answered++;
        hello(req, res);
      };
      const result = await load(generator, listener);
      assert.ok(result.requests > 0);
      // Requests under way at the end are answered but not counted, at most one on each connection.
      assert.ok(answered >= result.requests && answered <= result.requests + 8, `${answered} of ${result.requests}`);
      assert.ok(result.seconds > 0 && result.p50 >= 0 && result.p99 >= result.p50, JSON.stringify(result));
      assert.deepEqual(result.errors, {});
    });

    test('opens a connection for each request without keep-alive', async () => {
      const { requests, opened, errors } = await load(generator, hello, { shape: { keepAlive: false } });
      assert.deepEqual(errors, {});
      assert.ok(requests > 0 && opened >= requests, `${requests} requests on ${opened} connections`);
    });

    test('loads a server over TLS', async () => {
      const { requests, errors } = await load(generator, hello, { shape: { secure: true } });
      assert.deepEqual(errors, {});
      assert.ok(requests > 0);
    });

    test('reports answers other than 2xx as errors', async () => {
      const result = await load(generator, (_req, res) => res.writeHead(500, { 'Content-Length': 0 }).end());
      assert.deepEqual(Object.keys(result.errors), ['status']);
    });

    test('can be stopped', async () => {
      const signal = AbortSignal.abort();
      const plan = { port: 9, request: { method: 'GET', path: '/' }, connections: 1, seconds: 60 };
      await assert.rejects(generator.run(plan, signal), { name: 'AbortError' });
    });
  });
}

for (const generator of versatile) {
  describe(`${generator.name}, for more than GET`, () => {
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
      const result = await load(generator, listener, { request });
      assert.deepEqual(result.errors, {});
      assert.deepEqual([...seen], [JSON.stringify(['POST', '/a?b=c', 'a b', request.body])]);
    });

    for (const [what, body] of [
      ['is too long for a command line', 'x'.repeat(300_000)],
      ['has few characters and many octets', '漢'.repeat(60_000)],
      ['has a NUL', 'a\0b'],
    ] as const)
      test(`sends a body that ${what}`, async () => {
        const seen = new Set<number>();
        const listener: http.RequestListener = (req, res) => {
          let length = 0;
          req.on('data', (chunk: Buffer) => (length += chunk.length));
          req.on('end', () => {
            seen.add(length);
            res.end('ok');
          });
        };
        const request = { method: 'POST', path: '/', body };
        const { errors } = await load(generator, listener, { request, connections: 2 });
        assert.deepEqual(errors, {});
        assert.deepEqual([...seen], [Buffer.byteLength(body)]);
      });

    test('sends requests together', async () => {
      let waiting = 0;
      let most = 0;
      const { errors } = await load(
        generator,
        (_req, res) => {
          // Answers wait for the next turn of the loop; until then all requests that have arrived are counted.
          most = Math.max(most, ++waiting);
          setImmediate(() => {
            waiting--;
            res.end('hello');
          });
        },
        { shape: { pipeline: 16 }, connections: 1 },
      );
      assert.deepEqual(errors, {});
      assert.ok(most >= 8, `${most} at once on one connection`);
    });
  });
}

for (const generator of present([autocannon, ab, curlMulti])) {
  test(`${generator.name} ends after a number of requests`, async () => {
    const { requests, errors } = await load(generator, hello, { requests: 200, seconds: 60 });
    assert.deepEqual(errors, {});
    assert.equal(requests, 200);
  });
}

test('autocannon keeps its process for the next load, and starts another after one that was ended', async () => {
  const first = await load(autocannon, hello, { requests: 50 });
  const signal = AbortSignal.timeout(300);
  const server = http.createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const plan = { port, request: { method: 'GET', path: '/' }, connections: 1, seconds: 60 };
  await assert.rejects(autocannon.run(plan, signal), { name: 'AbortError' });
  server.closeAllConnections();
  server.close();
  const second = await load(autocannon, hello, { requests: 50 });
  assert.deepEqual([first.requests, second.requests, second.errors], [50, 50, {}]);
});

test('autocannon repeats two hundred requests where they are to differ', async () => {
  const paths = new Set<string>();
  const sessions = new Set<unknown>();
  const listener: http.RequestListener = (req, res) => {
    paths.add(req.url ?? '');
    sessions.add(req.headers.cookie);
    hello(req, res);
  };
  const request = { method: 'GET', path: '/files/0' };
  const { errors } = await load(autocannon, listener, {
    request,
    shape: { varied: true },
    connections: 1,
    requests: 450,
  });
  assert.deepEqual(errors, {});
  assert.deepEqual([paths.size, sessions.size, paths.has('/files/199')], [200, 200, true]);
});

test('autocannon divides its connections among threads', async () => {
  const { requests, opened } = await load(autocannon, hello, { requests: 200, workers: 2 });
  assert.deepEqual([requests, opened], [200, 4]);
});

for (const generator of present([ab, curlMulti])) {
  test(`${generator.name} refuses settings that it would ignore`, async () => {
    const request = { method: 'POST', path: '/', body: 'x' };
    await assert.rejects(load(generator, hello, { request }), /GET without a body/);
  });
}

describe('the choice of a generator', () => {
  const packages = [
    ['ab', 'apache2-utils'],
    ['wrk', 'wrk'],
    ['curl-multi', 'libcurl4-openssl-dev'],
  ] as const;

  function allFallBack(): void {
    for (const [name, brings] of packages) {
      const { generator, note } = preferred(name);
      assert.equal(generator.name, 'autocannon');
      assert.match(note ?? '', new RegExp(`^[^\\n]*package ${brings}[^\\n]*$`));
      assert.throws(() => required(name), new RegExp(brings));
    }
  }

  test('falls back to autocannon, and names the missing program and its package', () => withoutPrograms(allFallBack));

  test("falls back if the compiler lacks libcurl's headers", { skip: process.platform === 'win32' && 'no sh' }, () => {
    const bin = folder({ cc: "#!/bin/sh\necho 'fatal error: curl/curl.h: No such file or directory' >&2\nexit 1\n" });
    fs.chmodSync(path.join(bin, 'cc'), 0o755);
    return withoutPrograms(allFallBack, bin);
  });

  test('lists the generators when it does not know one', () => {
    assert.throws(() => required('siege'), /no generator 'siege'; there are ab, autocannon/);
  });
});

describe('the report of wrk', () => {
  const report = [
    'Running 6s test @ http://127.0.0.1:1/',
    '  1 threads and 50 connections',
    '  10 requests in 1.00s, 2KB read',
    'lab {"requests":1000,"microseconds":500000,"p50":1500,"p99":27000,"connect":1,"read":2,"write":0,"status":8,"timeout":0}',
    '',
  ].join('\n');

  test('is read from its own line, in seconds and milliseconds', () => {
    assert.deepEqual(parseReport('wrk', report), {
      requests: 1000,
      seconds: 0.5,
      p50: 1.5,
      p99: 27,
      errors: { connect: 1, read: 2, status: 8 },
    });
  });

  test('is an error with the output when the line is not there', () => {
    assert.throws(
      () => parseReport('wrk', 'unable to connect to 127.0.0.1:1 Connection refused'),
      /Connection refused/,
    );
  });
});

test("autocannon's result counts every kind of failure as an error", () => {
  const latency = { p50: 2, p99: 9 };
  const failures = { errors: 3, timeouts: 2, non2xx: 4 };
  const result = { requests: { total: 90 }, latency, duration: 1.5, '2xx': 86, ...failures };
  assert.deepEqual(parseAutocannon(result), {
    requests: 90,
    seconds: 1.5,
    p50: 2,
    p99: 9,
    errors: { connection: 1, timeout: 2, status: 4 },
  });
});

describe('the report of ab', () => {
  const report = [
    'Complete requests:      500',
    'Failed requests:        2',
    '   (Connect: 0, Receive: 0, Length: 2, Exceptions: 0)',
    'Non-2xx responses:      3',
    'Time taken for tests:   0.250 seconds',
  ].join('\n');

  test('is read with its percentiles, which are finer', () => {
    const percentiles = 'Percentage served,Time in ms\n0,0.123\n50,0.512\n99,3.250\n';
    const result = { requests: 500, seconds: 0.25, p50: 0.512, p99: 3.25, errors: { failed: 2, status: 3 } };
    assert.deepEqual(parseAb(report, percentiles), result);
  });

  test('is an error when there is none', () => {
    assert.throws(() => parseAb('apr_socket_connect(): Connection refused (111)', ''), /Connection refused/);
  });
});

test('a generator that is interrupted before it began is started again', async () => {
  const seen = path.join(folder({}), 'seen');
  // The first process has no handler yet, like a program that a busy machine has not started to run.
  const program = `if [ -e ${seen} ]; then trap 'echo report; exit 0' INT; while :; do :; done; fi; touch ${seen}; exec sleep 20`;
  const plan = { port: 0, request: { method: 'GET', path: '/' }, connections: 1, seconds: 0.5 };
  const { stdout } = await runGenerator({ command: 'sh', args: ['-c', program], plan, interrupt: true });
  assert.equal(stdout, 'report\n');
});
