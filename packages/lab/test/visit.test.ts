import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { readHar } from '../src/app/choose-requests.js';
import { startOf } from '../src/app/entry.js';
import { atLoad } from '../src/app/load-of-user.js';
import { sharesOf } from '../src/app/shares.js';
import { compareVisit, durationOf } from '../src/app/visit.js';
import { terminal } from '../src/terminal.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { inRepo } from '../../nonstop/test/support/paths.js';
import type { Row } from '../src/summary.js';
import { attended } from './fixtures/attended.js';
import { twenty } from './fixtures/twenty.js';
import { withoutPrograms } from './fixtures/without-programs.js';

const app = (name: string): string => inRepo('packages/lab/test/fixtures/apps', name);
const node = { version: process.version, path: process.execPath };
const settings = { rounds: 1, seconds: 0.1, warmup: 0.1, connections: 2, settled: 1, generator: twenty, node };

/** A recording whose second entry is this one. */
const recording = (second: object): string => {
  const first = { request: { method: 'GET', url: 'http://localhost/', headers: [] }, response: { status: 200 } };
  return JSON.stringify({ log: { entries: [first, second] } });
};

describe('the requests to an application', () => {
  test('are its own GET routes without parameters, if none are named', async () => {
    const printed: string[] = [];
    await attended(async (run) => {
      const records = await compareVisit({
        ...settings,
        ...run,
        rounds: 2,
        file: app('routes.js'),
        print: (text) => printed.push(text),
      });
      assert.deepEqual(
        records.map(({ request, ended }) => [request.path, ended]),
        [
          ['/health', 'complete'],
          ['/api/items', 'complete'],
        ],
      );
      return { ...records[0], samples: [] };
    });
    const text = printed.join('\n');
    assert.match(text, /^Measured: GET \/health, GET \/api\/items/m);
    assert.match(text, /^All 2 requests together: [\d.]+ ms CPU under Express, [\d.]+ under Nonstop, /m);
  });

  test('are not event streams, each of which is given up soon and named; every step is announced', async () => {
    const [printed, steps]: [string[], string[]] = [[], []];
    await attended(async (run) => {
      const records = await compareVisit({
        ...settings,
        ...run,
        file: app('streams.js'),
        print: (text) => printed.push(text),
        progress: (_row, step) => steps.push(step),
      });
      assert.deepEqual(
        records.map(({ request }) => request.path),
        ['/health'],
      );
      return { ...records[0], samples: [] };
    });
    assert.deepEqual(steps.slice(0, 4), [
      'starting it, to look for its routes',
      'trying GET /events',
      'trying GET /log',
      'trying GET /health',
    ]);
    assert.deepEqual(printed.slice(0, 3), [
      'Left out, no complete answer in 3 s: GET /events, GET /log.',
      'Measured: GET /health (--path chooses another).',
      'This takes about 5 s, longer on a busy machine: 1 request, 2 contestants, 1 round of 0.1 s (--quick takes seconds).',
    ]);
  });

  test('are announced with the time that they take', () => {
    const usual = { rounds: 5, seconds: 4, warmup: 2 };
    assert.match(
      durationOf(3, { ...usual, streams: 10 }),
      /^This takes about 6 minutes, longer on a busy machine: 3 requests, 3 contestants/,
    );
    assert.match(
      durationOf(1, usual),
      /^This takes about 72 s, longer on a busy machine: 1 request, 2 contestants, 5 rounds of 4 s/,
    );
  });

  test("are those of a browser's recording, each as often as recorded", () => {
    const entry = (method: string, url: string, status = 200): unknown => ({
      request: {
        method,
        url,
        headers: [
          { name: 'Accept', value: '*/*' },
          { name: 'Host', value: 'x' },
        ],
      },
      response: { status },
    });
    const entries = [
      entry('GET', 'http://localhost:3000/a?x=1'),
      entry('GET', 'http://localhost:3000/b'),
      entry('GET', 'http://localhost:3000/b'),
      entry('POST', 'http://localhost:3000/b'),
      entry('GET', 'http://localhost:3000/old', 304),
      entry('GET', 'https://elsewhere.example/font'),
    ];
    const har = path.join(folder({ 'visit.har': JSON.stringify({ log: { entries } }) }), 'visit.har');
    const { requests, notes } = readHar(har);
    assert.deepEqual(requests, [
      { request: { method: 'GET', path: '/b', headers: { Accept: '*/*' } }, times: 2 },
      { request: { method: 'GET', path: '/a?x=1', headers: { Accept: '*/*' } }, times: 1 },
    ]);
    assert.match(notes[0], /^The recording has 6 requests; 3 of them, 2 different ones to http:\/\/localhost:3000/);
  });

  for (const [what, text, problem] of [
    ['is not there', undefined, /cannot be read \(ENOENT\)/],
    ['is no JSON', 'nonsense', /cannot be read \(/],
    ['is not a recording', '{}', /is not a recording: it has no log\.entries/],
    ['is null', 'null', /is not a recording: it has no log\.entries/],
    ['holds nothing to measure', '{"log":{"entries":[]}}', /has no GET with a 2xx answer/],
    [
      'has an entry of nothing',
      '{"log":{"entries":[null]}}',
      /x\.har is not a recording: entry 1 has no request\.method/,
    ],
    [
      'has an entry without a request',
      recording({ response: { status: 200 } }),
      /^Error: --har: .*x\.har is not a recording: entry 2 has no request\.method \(a browser writes one with "Save all as HAR"\)$/,
    ],
    ['has an entry without a URL', recording({ request: { method: 'GET' } }), /entry 2 has no request\.url/],
    [
      'has an entry without headers',
      recording({ request: { method: 'GET', url: '/', headers: [{ name: 'Accept' }] } }),
      /entry 2 has no request\.headers/,
    ],
    [
      'has an entry without an answer',
      recording({ request: { method: 'GET', url: '/', headers: [] } }),
      /entry 2 has no response\.status/,
    ],
    [
      'has a URL without an origin',
      recording({ request: { method: 'GET', url: '/items', headers: [] }, response: { status: 200 } }),
      /^Error: --har: .*x\.har, entry 2: '\/items' is not a URL such as http:\/\/localhost:3000\/items$/,
    ],
  ] as const) {
    test(`are an error if a recording ${what}`, () => {
      const file = path.join(folder(text === undefined ? {} : { 'x.har': text }), 'x.har');
      assert.throws(() => readHar(file), problem);
    });
  }
});

describe('the file that starts an application', () => {
  const start = (script: string, main = 'a.js'): string => JSON.stringify({ main, scripts: { start: script } });
  const cases: readonly (readonly [
    what: string,
    files: Record<string, string>,
    found: string,
    nodeOptions?: readonly string[],
    more?: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
  ])[] = [
    [
      'what npm start runs, with its options of node',
      { 'package.json': start('node --enable-source-maps b.js'), 'a.js': '', 'b.js': '' },
      'b.js',
      ['--enable-source-maps'],
    ],
    [
      'what npm start runs, with options whose values stand by themselves',
      { 'package.json': start('node --env-file .env -r ./c.js b.js d.js'), 'b.js': '', 'c.js': '', 'd.js': '' },
      'b.js',
      ['--env-file', '.env', '-r', './c.js'],
      { args: ['d.js'] },
    ],
    [
      'what npm start runs, with its environment and arguments',
      {
        'package.json': start(
          'A=1 npx cross-env PORT=80 NODE_ENV=test B="two words" node b.js --config prod.json --name=\'x y\' > log',
        ),
        'b.js': '',
      },
      'b.js',
      [],
      { args: ['--config', 'prod.json', '--name=x y'], env: { A: '1', B: 'two words' } },
    ],
    [
      'what npm start runs at last, without options that are for a person',
      { 'package.json': start('node build.js && NODE_ENV=production node --inspect --watch b.js'), 'b.js': '' },
      'b.js',
    ],
    ['what another program starts', { 'package.json': start('nodemon -L b.js'), 'a.js': '', 'b.js': '' }, 'b.js'],
    [
      'what npm start runs, without an extension',
      { 'package.json': '{"scripts":{"start":"node ./bin/www"}}', 'app.js': '', 'bin/www': '' },
      'bin/www',
    ],
    [
      'its main if npm start runs a tool of a package',
      {
        'package.json': '{"main":"a.js","scripts":{"start":"node node_modules/.bin/tool start"}}',
        'a.js': '',
        'node_modules/.bin/tool': '',
      },
      'a.js',
    ],
    ['its main', { 'package.json': '{"main":"a.js"}', 'a.js': '', 'server.js': '' }, 'a.js'],
    ['its main if npm start runs the folder', { 'package.json': start('node .'), 'a.js': '' }, 'a.js'],
    ['its main without an extension', { 'package.json': '{"main":"lib/a"}', 'lib/a.js': '' }, 'lib/a.js'],
    ['the index of its main', { 'package.json': '{"main":"lib"}', 'lib/index.js': '', 'app.js': '' }, 'lib/index.js'],
    ['a usual name', { 'app.js': '' }, 'app.js'],
  ];
  for (const [what, files, found, nodeOptions = [], more = {}] of cases) {
    test(`is ${what}`, () => {
      const place = folder(files);
      assert.deepEqual(startOf(place), { file: path.join(place, found), nodeOptions, args: [], env: {}, ...more });
    });
  }

  test('gets its environment, the options of node and its arguments, and the record names them', async (t) => {
    t.after(() => delete process.env['SCENARIO']);
    process.env['SCENARIO'] = 'of the user';
    const place = folder({
      'package.json': '{"scripts":{"start":"SECRET=hidden node --env-file=.env server.js --config $PORT"}}',
      '.env': 'ANSWER=from a file\nPORT=9',
      'server.js': `if (process.env.ANSWER !== 'from a file' || process.env.SECRET !== 'hidden' || process.argv[3] !== process.env.PORT || process.env.SCENARIO !== 'of the user') throw new Error('without it');\n${fs.readFileSync(app('routes.js'), 'utf8')}`,
      'node_modules/': '',
    });
    fs.symlinkSync(path.dirname(require.resolve('express/package.json')), path.join(place, 'node_modules/express'));
    const request = { method: 'GET', path: '/health' };
    const { record } = await attended(async (run) => {
      const [first] = await compareVisit({ ...settings, ...run, file: place, request });
      return first;
    });
    assert.deepEqual([record.ended, record.failures], ['complete', []]);
    const note = 'Started with SECRET --env-file=.env --config $PORT, as by npm start.';
    assert.ok(record.notes.includes(note), record.notes.join('\n'));
  });

  test('is found if the folder is given', async () => {
    const file = 'console.error("Error: started"); process.exit(1);';
    const place = folder({ 'server.js': file, 'node_modules/express/package.json': '{"version":"5.0.0"}' });
    await assert.rejects(
      attended(async (run) => (await compareVisit({ ...settings, ...run, file: place }))[0]),
      /started/,
    );
  });

  test('is not started if the records cannot be written', async () => {
    const file = 'console.error("Error: started"); process.exit(1);';
    const place = folder({ 'server.js': file, 'node_modules/express/package.json': '{"version":"5.0.0"}' });
    const results = path.join(place, 'server.js');
    await assert.rejects(
      attended(async (run) => (await compareVisit({ ...settings, ...run, file: place, results }))[0]),
      { message: `Results cannot be written to ${results} (not a folder)` },
    );
  });

  test('is not started over HTTP/2 without h2load', async () => {
    const file = 'console.error("Error: started"); process.exit(1);';
    const place = folder({ 'server.js': file, 'node_modules/express/package.json': '{"version":"5.0.0"}' });
    const over2 = { ...settings, generator: undefined, streams: 10 };
    await withoutPrograms(() =>
      assert.rejects(
        attended(async (run) => (await compareVisit({ ...over2, ...run, file: place }))[0]),
        /^Error: h2load is not installed; the package nghttp2-client brings it/,
      ),
    );
  });

  test('must be given if the folder does not name it', () => {
    assert.throws(() => startOf(folder({ 'x.txt': '' })), /name it, such as \.\/server\.js/);
  });

  test('is not another one if that of npm start is not built yet', () => {
    const place = folder({ 'package.json': start('npm run build && node dist/server.js'), 'a.js': '', 'app.js': '' });
    assert.throws(() => startOf(place), {
      message: `npm start runs dist/server.js, which is not there: build the application first, or name the file that starts it (${place})`,
    });
  });

  for (const [text, problem] of [
    ['{ "scripts": ', /^Error: .*package\.json is not JSON \(/],
    ['null', /name it, such as/],
  ] as const)
    test(`is not looked for in a manifest of ${text}`, () => {
      assert.throws(() => startOf(folder({ 'package.json': text })), problem);
    });
});

describe('progress', () => {
  const written: string[] = [];
  const shown = (isTTY: boolean): string[] => {
    written.length = 0;
    let now = 0;
    const { progress, print } = terminal({ isTTY, columns: 20, write: (text) => written.push(text) }, () => now);
    progress('hello', 'start');
    progress('hello', 'round 1 of 5');
    now += 15_000;
    progress('hello', 'round 2 of 5');
    progress('hello', 'round 3 of 5');
    print('done');
    return [...written];
  };

  test('in a log is a line for each row, and one more when nothing was written for 15 s', () => {
    assert.deepEqual(shown(false), ['hello\n', 'hello: round 2 of 5\n', 'done\n']);
  });

  test('on a terminal is one line, not wider than it', () => {
    const over = '\r\u001B[K';
    assert.deepEqual(shown(true), [
      `${over}hello: start`,
      `${over}hello: round 1 of 5`,
      `${over}hello: round 2 of 5`,
      `${over}hello: round 3 of 5`,
      over,
      'done\n',
    ]);
  });
});

test('CPU time is assigned to the package of the script', () => {
  const hits = {
    '': 50,
    'file:///app/server.js': 15,
    '/app/node_modules/express/lib/application.js': 5,
    '/app/node_modules/.pnpm/router@2.0.0/node_modules/router/index.js': 10,
    '/app/node_modules/@scope/pg/index.js': 10,
    '/checkout/nonstop/dist/nonstop.js': 5,
    '/checkout/nonstop/dist-of-the-application.js': 5,
  };
  assert.deepEqual(sharesOf(hits, new Set(['express', 'router']), '/checkout/nonstop/dist'), {
    framework: 0.2,
    packages: 0.1,
    own: 0.2,
    node: 0.5,
  });
  assert.equal(sharesOf({ '': 3 }, new Set(), '/checkout'), undefined);
});

test("the gain is computed for the user's load", () => {
  const row = (contestant: string, cpu: number): Row => ({ contestant, cpu }) as Row;
  assert.equal(
    atLoad(row('Express 5', 500), row('Nonstop', 200), 3000),
    'At 3,000 requests/s: 1.50 cores under Express 5, 0.60 under Nonstop; processes of one core at 60 %: 3 and 1.',
  );
});
