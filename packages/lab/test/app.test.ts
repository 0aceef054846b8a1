import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { compareApp, type AppRecord } from '../src/app/app.js';
import { chooseRoutes } from '../src/app/choose-requests.js';
import { findEntry } from '../src/app/entry.js';
import { steadyPart } from '../src/app/same-answer.js';
import { turnsOf } from '../src/app/turns.js';
import { growth, pairOf, together, verdict } from '../src/app/verdict.js';
import type { Answer } from '../src/ask.js';
import type { Sample } from '../src/measure.js';
import { newRun } from '../src/record.js';
import type { ScenarioRequest } from '../src/scenario.js';
import { summarise, type Row } from '../src/summary.js';
import { inRepo } from '../../nonstop/test/support/paths.js';
import { attended, type Run } from './fixtures/attended.js';
import { twenty } from './fixtures/twenty.js';
import { folder } from '../../nonstop/test/support/folder.js';

const app = (name: string): string => path.resolve(inRepo('packages/lab/test/fixtures/apps'), name);
const node = { version: process.version, path: process.execPath };
const notes = folder({ 'ada.md': '# Ada' });
process.env['NOTES_DIR'] = notes;

const settings = { rounds: 1, seconds: 0.1, warmup: 0.1, connections: 2, settled: 1, generator: twenty, node };

const compare = (name: string, request: Partial<ScenarioRequest> = {}): Promise<Run<AppRecord>> =>
  attended((run) =>
    compareApp({ ...settings, ...run, file: app(name), request: { method: 'GET', path: '/', ...request } }),
  );

/** Whether this Node strips types without a flag. */
const strips = Boolean((process.features as { typescript?: unknown }).typescript);

describe("a user's application is compared with itself", () => {
  const typescript = strips ? false : `${process.version} does not take types off`;
  const cases: readonly (readonly [
    what: string,
    file: string,
    request: Partial<ScenarioRequest>,
    more?: { readonly skip?: string | false; readonly note?: RegExp; readonly says?: RegExp },
  ])[] = [
    [
      'in CommonJS, on a port that it may not have, with an answer that varies',
      'items.js',
      { path: '/items/7', headers: { 'X-Agent': 'lab' } },
      {
        note: /^Not compared, because it varies on Express too: X-Request-Id\.$/m,
        says: /are the same: 200, \d+ of \d+ fields, body\.$/m,
      },
    ],
    [
      'by a request with a body',
      'items.js',
      { method: 'POST', path: '/echo', headers: { 'Content-Type': 'application/json' }, body: '{"a":[1]}' },
    ],
    ['with a folder that one process alone may open', 'notes.js', { path: '/users/1/notes/ada.md' }],
    [
      'that changes its data',
      'notes.js',
      { method: 'PUT', path: '/users/1/notes/new', headers: { 'Content-Type': 'text/plain' }, body: 'new' },
    ],
    [
      'as an ES module over TLS, with a second server',
      'shop.mjs',
      { path: '/shelf/tea', headers: { Accept: 'text/html' } },
    ],
    ['that serves its metrics before itself', 'metrics-first.js', { path: '/health' }],
    ['that serves its metrics long before itself', 'metrics-long-before.js', { path: '/items' }],
    ['whose application for operators listens before it', 'operators-first.js', { path: '/items' }],
    [
      'with two applications, of which neither is on PORT',
      'two-ports.js',
      { path: '/items' },
      { note: /^Measured is the server for which the application asked for port 3000, because none listened on/m },
    ],
    ['in TypeScript, that starts late and writes in pieces', 'weather.mts', {}, { skip: typescript }],
  ];
  for (const [what, file, request, { skip = false, note = /(?:)/, says = /, \d+ fields/ } = {}] of cases) {
    test(what, { skip }, async () => {
      const { record, saved, printed } = await compare(file, request);
      assert.equal(record.ended, 'complete', printed);
      assert.deepEqual(record.failures, []);
      assert.deepEqual(
        record.samples.map(({ contestant }) => contestant),
        ['Express 5', 'Nonstop'],
      );
      assert.match(printed, /answers to (GET|POST|PUT) \S+ are the same: 20[01]/);
      assert.match(printed, says);
      assert.match(printed, /^Where the server was busy below 90 % the generator, /m);
      assert.match(record.verdict, /^No verdict: one round does not show how much rounds differ/);
      assert.match(record.notes.join('\n'), note);
      assert.match(record.notes.join('\n'), /^All requests are equal, so what a server remembers/m);
      assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
    });
  }

  test('a crash during the run is reported', async () => {
    const { record, printed } = await compare('items.js', { path: '/crash' });
    assert.deepEqual(
      record.failures.map(({ contestant }) => contestant),
      ['Express 5', 'Nonstop'],
    );
    assert.equal(record.verdict, 'No verdict: Express 5 and Nonstop failed.');
    assert.match(printed, /^Express 5 failed in GET \/crash on Node v\S+: .*$/m);
  });

  test('a request without an answer is reported, although the generator does not tell of it', async () => {
    const result = { requests: 1000, seconds: 1, p50: 1, p99: 1, errors: {} };
    const generator = { ...twenty, run: () => Promise.resolve(result) };
    const { record } = await attended((run) => {
      const request = { method: 'GET', path: '/' };
      return compareApp({ ...settings, ...run, connections: 4, generator, file: app('silent.js'), request });
    });
    assert.deepEqual(
      record.failures.map(({ contestant, problem }) => [contestant, problem]),
      ['Express 5', 'Nonstop'].map((name) => [name, '1 of 4 requests at once failed: no complete answer within 10 s']),
    );
    assert.equal(record.verdict, 'No verdict: Express 5 and Nonstop failed.');
  });

  test('answers that change under load are reported', async () => {
    const { record, printed } = await compare('limits.js');
    assert.deepEqual(
      record.failures.map(({ contestant }) => contestant),
      ['Express 5', 'Nonstop'],
    );
    assert.match(printed, /^Nonstop failed in GET \/ on Node v\S+: \d+ answers, and errors: \d+ status$/m);
  });

  test('a server that the engine does not serve is reported', async (t) => {
    t.after(() => delete process.env['NONSTOP_ENGINE']);
    const said = "Under Nonstop, node:http serves, not Nonstop's engine: DEBUG=nonstop says why.";
    for (const [engine, times] of [
      ['nonstop', 0],
      ['node', 1],
    ] as const) {
      process.env['NONSTOP_ENGINE'] = engine;
      const { record } = await compare('routes.js', { path: '/health' });
      assert.equal(record.notes.filter((note) => note === said).length, times, record.notes.join('\n'));
    }
  });

  test('leaked memory is reported, in bytes per request', async () => {
    const { record } = await compare('leaks.js');
    const [, bytes] =
      /^Under Nonstop, each request leaves ([\d,]+) bytes that are not freed/m.exec(record.notes.join('\n')) ?? [];
    const each = Number(bytes?.replaceAll(',', ''));
    assert.ok(each > 150_000 && each < 400_000, `${each} bytes`);
    assert.deepEqual(
      record.figures.map(({ contestant, unit }) => [contestant, unit]),
      [
        ['Express 5', 'bytes/request'],
        ['Nonstop', 'bytes/request'],
      ],
    );
  });
});

/** The folder of an application that has Express 4. */
function withExpress4(): string {
  const place = folder({ 'routes.js': fs.readFileSync(app('routes.js')), 'node_modules/': '' });
  const express4 = path.dirname(require.resolve('express4/package.json'));
  fs.symlinkSync(express4, path.join(place, 'node_modules/express'), 'junction');
  return place;
}

test('the routes of an application with Express 4 are found', async () => {
  const entry = findEntry(path.join(withExpress4(), 'routes.js'), process.version);
  const options = { node: process.execPath, scenario: 'app', progress: () => undefined };
  const { requests } = await chooseRoutes(entry, options);
  assert.deepEqual(
    requests.map(({ request }) => request.path),
    ['/health', '/api/items'],
  );
});

test("an application with Express 4 is compared with Nonstop's dialect of it, which is named", async () => {
  const place = withExpress4();
  const request = { method: 'GET', path: '/health' };
  const { record } = await attended((run) =>
    compareApp({ ...settings, ...run, file: path.join(place, 'routes.js'), request }),
  );
  assert.deepEqual([record.ended, record.failures], ['complete', []]);
  assert.deepEqual(
    record.samples.map(({ contestant }) => contestant),
    ['Express 4', 'Nonstop'],
  );
  const notes = record.notes.filter((note) => note.startsWith('It has Express'));
  assert.match(
    notes.join('\n'),
    /^It has Express 4\.\d+\.\d+: Nonstop is nonstop\/v4 here, which behaves as Express 4\.$/,
  );
});

describe("a user's application over HTTP/2", () => {
  const over2 = (name: string, request: Partial<ScenarioRequest>): Promise<Run<AppRecord>> =>
    attended((run) => {
      const asked = { method: 'GET', path: '/', ...request };
      return compareApp({ ...settings, ...run, streams: 2, file: app(name), request: asked });
    });

  const cases: readonly (readonly [what: string, file: string, request: Partial<ScenarioRequest>])[] = [
    ['that listens by itself', 'items.js', { path: '/items/7', headers: { 'X-Agent': 'lab' } }],
    [
      'that reads a body',
      'items.js',
      { method: 'POST', path: '/echo', headers: { 'Content-Type': 'application/json' }, body: '{"a":[1]}' },
    ],
    ['that has a server over TLS', 'shop.mjs', { path: '/shelf/tea', headers: { Accept: 'text/html' } }],
    ['that has a server of HTTP/2', 'over-http2.js', { path: '/by' }],
    ['that serves its metrics before itself', 'metrics-first.js', { path: '/health' }],
    ['whose application for operators listens before it', 'operators-first.js', { path: '/items' }],
  ];
  for (const [what, file, request] of cases) {
    test(`${what} is compared with Express over HTTP/1.1`, async () => {
      const { record, printed } = await over2(file, request);
      assert.equal(record.ended, 'complete', printed);
      assert.deepEqual(record.failures, []);
      assert.deepEqual(
        record.samples.map(({ contestant }) => contestant),
        ['Express 5', 'Nonstop, HTTP/1.1', 'Nonstop'],
      );
      assert.match(record.notes.join('\n'), /^Nonstop is asked over HTTP\/2, one connection with 2 streams at once\./m);
      assert.match(record.verdict, /^No verdict: one round does not show/);
    });
  }

  test('is not measured if it serves HTTP/2 in clear text', async () => {
    await assert.rejects(over2('clear-http2.js', {}), /HTTP\/2 in clear text: --http2 is for TLS/);
  });
});

describe('nothing is timed or written', () => {
  const cases: readonly (readonly [what: string, file: string, path: string, problem: RegExp])[] = [
    [
      'when the answers differ, which are shown field by field',
      'items.js',
      '/differs',
      /X-Engine: expected "a", got "b"/,
    ],
    [
      'when it is asked for what another of its servers answers',
      'two-ports.js',
      '/metrics',
      /Both answer GET \/metrics with 404;[^]*\nMeasured is the server .* asked for port 3000/,
    ],
    [
      'when the answer is not a success',
      'items.js',
      '/nothing',
      /Both answer GET \/nothing with 404; only 2xx answers are measured/,
    ],
    ['when the application does not start', 'broken.js', '/', /Under Express.*TypeError: the settings are missing$/],
    ['when it does not listen', 'ends.js', '/', /Under Express.*ended \(0\) before it listened; name the file/],
    [
      'when it says itself what it misses',
      'unconfigured.js',
      '/',
      /not start: .*ended \(4\).*: no address of a database/,
    ],
    ['when it is killed by the first request', 'dies.js', '/', /Under Express, .*does not answer: ended \(SIGKILL\)$/],
    ['when it has no Express in it', 'without-express.js', '/', /Under Nonstop.*has not loaded express/],
    ['when it has Nonstop in it', 'on-nonstop.js', '/', /Under Express.*the application loads nonstop itself/],
    ['when it does not start under Nonstop', 'refuses-nonstop.js', '/', /Under Nonstop.*not start: Error: only under/],
    ['when it starts workers', 'workers.js', '/', /Under Express.*Error: the application starts processes of its own/],
    ['when the file is a folder', '.', '/', /apps is a folder; name the file that starts the application$/],
    ['when the file is not there', 'nothing.js', '/', /There is no file .*nothing\.js$/],
  ];
  for (const [what, file, where, problem] of cases) {
    test(what, async () => {
      await assert.rejects(compare(file, { path: where }), (error: Error) => {
        assert.match(error.message, problem);
        return true;
      });
    });
  }

  test('when its Express is Nonstop by another name', async () => {
    const place = folder({
      'routes.js': fs.readFileSync(app('routes.js')),
      'node_modules/express/package.json': '{ "name": "nonstop", "version": "5.3.0", "main": "dist/entry/index.js" }',
      'node_modules/express/dist/entry/index.js': `module.exports = require(${JSON.stringify(require.resolve('express'))});`,
    });
    await assert.rejects(
      compare(path.join(place, 'routes.js'), { path: '/health' }),
      /the application loads nonstop itself/,
    );
  });

  for (const name of ['nonstop/register', '/srv/node_modules/nonstop/dist/entry/http/register.mjs'])
    test(`when NODE_OPTIONS has ${name}`, async (t) => {
      t.after(() => delete process.env['NODE_OPTIONS']);
      process.env['NODE_OPTIONS'] = `--import ${name}`;
      const problem = { message: /NODE_OPTIONS loads Nonstop into each contestant/ };
      await assert.rejects(compare('routes.js', { path: '/health' }), problem);
      assert.throws(() => newRun('board', notes), problem);
    });

  test('when its Express cannot be found by its name, although it may be loaded by a path', () => {
    // Not the running binary: another Node's binary is below this checkout, where Express is installed.
    const alone = path.join(folder({ 'app.js': '' }), 'app.js');
    assert.throws(
      () => findEntry(alone, process.version),
      /cannot load a package by the name express, .*Install express beside the file; an application that loads it by a path/,
    );
  });

  test('when this Node does not run TypeScript', () => {
    assert.throws(
      () => findEntry(app('weather.mts'), 'v20.19.0'),
      /v20\.19\.0 does not run TypeScript by itself: install tsx beside .*weather\.mts, or run it with Node 24$/,
    );
    assert.ok(findEntry(app('weather.mts'), 'v22.18.0'));
  });
});

test('a part of a field or body that varies is not compared, and a constant part is', () => {
  const answer = (id: string, body: string): Answer => ({
    status: 200,
    reason: 'OK',
    fields: [
      ['X-Id', id],
      ['Content-Type', 'text/plain'],
      ['Date', 'today'],
    ],
    body,
  });
  const { expected, varying } = steadyPart(answer('1', 'a'), answer('2', 'b'));
  assert.deepEqual(varying, ['X-Id', 'the body']);
  assert.deepEqual(expected.fields, [
    ['X-Id', null],
    ['Content-Type', 'text/plain'],
    ['Date', null],
  ]);
  assert.equal(expected.body, null);
  assert.equal(steadyPart(answer('1', 'a'), answer('1', 'a')).expected.body, 'a');
});

describe('the verdict', () => {
  const sample = (contestant: string, cpu: number, round = 0, rss = 64 * 2 ** 20): Sample => ({
    scenario: 'GET /',
    contestant,
    node: 'v24.0.0',
    connections: 2,
    round,
    requests: 1000,
    seconds: 1,
    p50: 1,
    p99: 1,
    cpu,
    rss,
  });
  const cases: readonly (readonly [express: number[], nonstop: number[], said: RegExp])[] = [
    [[40, 41], [10, 10], /^Under Nonstop a request needs 0\.25 of the CPU time: 10\.0 against 40\.5 µs\.$/],
    [[10, 10], [20, 20], /^Under Nonstop a request needs 2\.00 times the CPU time: 20\.0 against/],
    [[10, 11], [10, 10.5], /^No difference seen/],
    // A loss counts as a gain of the same size does.
    [[16, 8], [4, 8], /^Under Nonstop a request needs 0\.50 of/],
    [[4, 8], [16, 8], /^Under Nonstop a request needs 2\.00 times/],
    [[40], [10, 10], /^No verdict: one round does not show how much rounds differ; take more/],
    [[10], [], /^No verdict/],
  ];
  for (const [express, nonstop, said] of cases) {
    test(`on ${nonstop.join(', ') || 'nothing'} against ${express.join(', ')} µs is ${said.source}`, () => {
      const samples = [
        ...express.map((cpu, round) => sample('Express 5', cpu, round)),
        ...nonstop.map((cpu, round) => sample('Nonstop', cpu, round)),
      ];
      assert.match(verdict(summarise(samples)), said);
    });
  }

  for (const [express, nonstop, said] of [
    [[40, 41], [10, 10], 'All 6 requests together: 0.24 ms CPU under Express, 0.06 under Nonstop, 75 % less.'],
    [[10, 10], [20, 20], 'All 6 requests together: 0.06 ms CPU under Express, 0.12 under Nonstop, 100 % more.'],
    [
      [10, 11],
      [9.5, 10.5],
      'All 6 requests together: 0.06 ms CPU under Express, 0.06 under Nonstop, no difference seen beyond the spread of the rounds.',
    ],
  ] as const) {
    test(`of several requests with ${nonstop.join(', ')} against ${express.join(', ')} µs is their sum`, () => {
      const samples = [
        ...express.map((cpu, round) => sample('Express 5', cpu, round)),
        ...nonstop.map((cpu, round) => sample('Nonstop', cpu, round)),
      ];
      const pair = pairOf(summarise(samples), {});
      assert.ok(typeof pair !== 'string');
      const twice = { ...pair, times: 2 };
      assert.equal(together([twice, { ...pair, times: 4 }]), said);
    });
  }

  test('has requests/s only if both servers were the limit, and not the generator', () => {
    const rows = (nonstop: number): Row[] =>
      summarise(
        [0, 1].flatMap((round) => [
          { ...sample('Express 5', 40, round), requests: 24_000 },
          { ...sample('Nonstop', 10, round), requests: nonstop },
        ]),
      );
    assert.match(verdict(rows(95_000)), /: 10\.0 against 40\.0 µs; 95,000 against 24,000 requests\/s\.$/);
    assert.match(verdict(rows(40_000)), /: 10\.0 against 40\.0 µs\.$/);
  });

  test('is missing when one of them failed', () => {
    const rows = summarise([sample('Express 5', 40), sample('Nonstop', 10)]);
    const failure = { scenario: 'GET /', contestant: 'Nonstop', node: 'v24.0.0', problem: 'crashed' };
    assert.equal(verdict(rows, { failures: [failure] }), 'No verdict: Nonstop failed.');
  });

  for (const [course, said] of [
    [{ quick: true }, /^No verdict: a short run shows that both run and answer alike, not how fast they are/],
    [{ ended: 'interrupted' }, /^No verdict: the run was interrupted\.$/],
    [{ ended: 'stopped' }, /^No verdict: the run ended too early\.$/],
    [{ ended: 'complete' }, /^Under Nonstop a request needs 0\.25/],
    [{ over2: true }, /: 10\.0 over HTTP\/2 against 40\.0 µs over HTTP\/1\.1 under Express\.$/],
  ] as const) {
    test(`of a run that is ${JSON.stringify(course)} is ${said.source}`, () => {
      const samples = [0, 1].flatMap((round) => [sample('Express 5', 40, round), sample('Nonstop', 10, round)]);
      assert.match(verdict(summarise(samples), course), said);
    });
  }
});

test('leaked memory is reported from 64 bytes per request and one megabyte on', () => {
  assert.equal(growth('Nonstop', 900_000, 100), undefined);
  assert.equal(growth('Nonstop', 2_000_000, 100_000), undefined);
  assert.match(
    growth('Nonstop', 2 ** 21, 1024) ?? '',
    /^Under Nonstop, each request leaves 2,048 bytes that are not freed/,
  );
});

describe('the turns', () => {
  const order = (rounds: number, contestants = ['A', 'B']): string[] =>
    turnsOf(contestants, rounds).map(
      ({ contestant, rounds: taken, last }) => `${contestant}${taken.join()}${last ? '!' : ''}`,
    );

  test('let each contestant go first in turn, and keep its process if it also begins the next round', () => {
    assert.deepEqual(order(1), ['A0!', 'B0!']);
    assert.deepEqual(order(2), ['A0', 'B0,1!', 'A1!']);
    assert.deepEqual(order(5), ['A0', 'B0,1', 'A1,2', 'B2,3', 'A3,4!', 'B4!']);
  });

  test('keep the process with three contestants too', () => {
    assert.deepEqual(order(3, ['A', 'B', 'C']), ['A0', 'B0', 'C0,1', 'A1', 'B1,2!', 'C2!', 'A2!']);
  });
});
