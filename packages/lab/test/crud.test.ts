import assert = require('node:assert/strict');
import fs = require('node:fs');
import http = require('node:http');
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { readBrowserRun } from '../src/crud/browser-record.js';
import { buildFerretDb } from '../src/crud/build-ferretdb.js';
import { Client, readServerTiming } from '../src/crud/client.js';
import { chooseContestants, contestants, contestantsAmong } from '../src/crud/contestants.js';
import { labelOf, openDatabase } from '../src/crud/database.js';
import { publishedCrud } from '../src/crud/published.js';
import { shapeNames, shapes, verbs } from '../src/crud/shapes.js';
import { compareCrud, less, summariseCpu, summariseCrud } from '../src/crud/summary.js';
import { comparedTable, cpuTable, crudTable } from '../src/crud/table.js';
import type { CrudSample } from '../src/crud/sample.js';
import { transcript, verify } from '../src/crud/verify.js';
import { deviation, mean } from '../src/stats.js';
import { folder } from '../../nonstop/test/support/folder.js';

describe('the four shapes', () => {
  test('have the sizes of the study', () => {
    const [text, list, record, records] = shapeNames.map((name) => shapes[name].make());
    assert.equal((text as string).length, 1000);
    assert.deepEqual(
      (list as string[]).map(({ length }) => length),
      Array.from({ length: 100 }, () => 100),
    );
    const sizes = (value: object): number[] => Object.values(value).map(({ length }: string) => length);
    assert.deepEqual(
      sizes(record as object),
      Array.from({ length: 100 }, () => 100),
    );
    assert.equal((records as object[]).length, 50);
    for (const one of records as object[])
      assert.deepEqual(
        sizes(one),
        Array.from({ length: 50 }, () => 50),
      );
  });

  test('accept their own value, and no wrong shape accepts it', () => {
    const accepting = (value: unknown): string[] => shapeNames.filter((name) => shapes[name].accepts(value));
    for (const name of shapeNames) assert.deepEqual(accepting(shapes[name].make()), [name]);
    // An empty list is both a list of strings and a list of objects.
    assert.deepEqual(accepting([]), ['array', 'objects']);
  });

  const refused: [string, unknown][] = [
    ['string', 'a'.repeat(100_001)],
    ['array', ['a', 1]],
    ['array', Array.from({ length: 1001 }, () => 'a')],
    ['object', { $set: 'a' }],
    ['object', { 'a.b': 'a' }],
    ['object', JSON.parse('{"__proto__":"a"}')],
    ['object', { a: { b: 'c' } }],
    ['object', null],
    ['objects', [null]],
    ['objects', [['a']]],
  ];
  for (const [name, value] of refused) {
    test(`${name} refuses ${JSON.stringify(value).slice(0, 30)}`, () => assert.ok(!shapes[name].accepts(value)));
  }

  test('each have published results', () => {
    assert.deepEqual(
      publishedCrud.map(({ shape }) => shape),
      shapeNames,
    );
  });
});

describe('the summary', () => {
  const sample = (contestant: string, serverMs: number, change: Partial<CrudSample> = {}): CrudSample => ({
    node: 'v24.0.0',
    contestant,
    shape: 'string',
    verb: 'GET',
    repetition: 0,
    clientMs: serverMs + 1,
    serverMs,
    ...change,
  });

  test('has mean, standard deviation and median', () => {
    assert.equal(mean([1, 2, 6]), 3);
    assert.equal(deviation([2, 4, 4, 4, 5, 5, 7, 9]), Math.sqrt(32 / 7));
    assert.equal(deviation([3]), 0);
    assert.throws(() => mean([]), RangeError);
    const [row] = summariseCrud([1, 2, 6].map((ms) => sample('Koa', ms)));
    assert.deepEqual(row.server, { count: 3, mean: 3, deviation: Math.sqrt(7), median: 2 });
    assert.equal(row.client.mean, 4);
  });

  test('groups the samples to compare, in any order of measurement', () => {
    const rows = summariseCrud([
      sample('Koa', 1),
      sample('Koa', 1, { verb: 'PUT' }),
      sample('Hapi', 1),
      sample('Hapi', 1, { verb: 'PUT' }),
    ]);
    assert.deepEqual(
      rows.map(({ verb, contestant }) => `${verb} ${contestant}`),
      ['GET Koa', 'GET Hapi', 'PUT Koa', 'PUT Hapi'],
    );
    assert.match(crudTable(rows), /string .* GET .* Koa .* 1\.00 ± 0\.00/);
  });

  test('gives the saved time with its error', () => {
    assert.equal(less([]), undefined);
    // In the second repetition the machine is half as fast for both: the share is certain nevertheless.
    const drift = less([
      [8, 10],
      [16, 20],
    ]);
    assert.deepEqual([drift?.percent.toFixed(9), drift?.within.toFixed(9)], ['20.000000000', '0.000000000']);
    // Differences of -1 and 1, with a deviation of the root of 2: 200 * 1.414 / (1.414 * 10).
    const noise = less([
      [9, 10],
      [11, 10],
    ]);
    assert.deepEqual([noise?.percent, noise?.within.toFixed(9)], [0, '20.000000000']);
  });

  test('compares two contestants in the parts that both have', () => {
    const [compared] = compareCrud([
      sample('Express 5', 8),
      sample('Hapi', 10),
      sample('Hapi', 1000, { repetition: 1 }),
      sample('Nonstop', 8, { repetition: 1 }),
    ]);
    assert.equal(compared.server.percent.toFixed(6), '20.000000');
    assert.equal(compared.nonstop?.percent.toFixed(6), '99.200000');
    assert.equal(compared.nonstopAgainstExpress, undefined);
  });

  test('compares with the publication, for each verb and for all four together', () => {
    const life = (contestant: string, ms: number): CrudSample[] =>
      verbs.map((verb) => sample(contestant, ms, { verb }));
    const compared = compareCrud([
      ...life('Express 5', 8),
      ...life('Hapi', 10),
      ...life('Nonstop', 5),
      sample('Hapi', 1, { shape: 'control' }),
    ]);
    assert.deepEqual(
      compared.map(({ verb }) => verb),
      [...verbs, 'all'],
    );
    for (const one of compared) {
      assert.equal(one.words, '14–20 % faster');
      assert.equal(one.server.percent.toFixed(6), '20.000000');
      assert.equal(one.serverMedian.toFixed(6), '20.000000');
      assert.equal(one.nonstop?.percent, 50);
      assert.equal(one.nonstopAgainstExpress?.percent, 37.5);
    }
    assert.match(comparedTable(compared), /\+20\.0 ± 0\.0 %/);
    assert.deepEqual(compareCrud(life('Express 5', 8)), []);
  });

  test('does not count a life of a record without one of its requests as a whole one', () => {
    const [first, ...others] = verbs;
    const life = (contestant: string, ms: number, repetition = 0): CrudSample[] =>
      verbs.map((verb) => sample(contestant, ms, { verb, repetition }));
    const compared = compareCrud([
      ...life('Express 5', 8),
      ...life('Hapi', 10),
      ...others.map((verb) => sample('Express 5', 8, { verb, repetition: 1 })),
      ...life('Hapi', 10, 1),
    ]);
    const percent = (name: string): number | undefined => compared.find(({ verb }) => verb === name)?.server.percent;
    assert.deepEqual([percent('all')?.toFixed(6), percent(first)?.toFixed(6)], ['20.000000', '20.000000']);
  });

  test('subtracts the cost of reading the CPU time', () => {
    const used = { node: 'v24.0.0', contestant: 'Express 5', repetition: 0, requests: 4 };
    const rows = summariseCpu([
      { ...used, shape: 'control', cpu: 500, question: 100 },
      { ...used, shape: 'string', cpu: 4100 },
    ]);
    assert.deepEqual(
      rows.map(({ shape, cpu }) => [shape, cpu.mean]),
      [
        ['control', 100],
        ['string', 1000],
      ],
    );
    assert.match(cpuTable(rows), /string .* 1000 ± 0 .* 1\.00/);
  });
});

describe('a run that the page sends', () => {
  const good = { contestant: 'Koa', shape: 'array', verb: 'PUT', repetition: 3, clientMs: 2.5, serverMs: 1.25 };
  const run = (change: object): unknown => ({ settings: {}, samples: [good], ended: 'complete', ...change });
  const read = (body: unknown): unknown => readBrowserRun(body, Object.keys(contestants));

  test('is accepted unchanged', () => {
    const body = run({ settings: { repetitions: 4 }, samples: [good, { ...good, serverMs: null }] });
    assert.deepEqual(read(body), body);
  });

  test('loses members of its samples that a record does not have', () => {
    assert.deepEqual(read(run({ samples: [{ ...good, extra: 'x' }] })), run({}));
  });

  const bad: [unknown, RegExp][] = [
    [undefined, /the body has to be an object/],
    [run({ settings: [] }), /settings has to be an object/],
    [run({ samples: [] }), /samples has to be a list of 1 to/],
    [run({ ended: 'running' }), /ended has to be one of complete, interrupted, stopped/],
    [run({ samples: [good, null] }), /samples\[1\] has to be an object/],
    [run({ samples: [{ ...good, contestant: 'toString' }] }), /contestant has to be one of Express 5, Hapi/],
    [run({ samples: [{ ...good, verb: 'PATCH' }] }), /verb has to be one of POST, GET, PUT, DELETE/],
    [run({ samples: [{ ...good, shape: 'control' }] }), /shape has to be one of string/],
    [run({ samples: [{ ...good, repetition: 0.5 }] }), /repetition has to be a whole number/],
    [run({ samples: [{ ...good, clientMs: '2' }] }), /clientMs has to be a number of milliseconds/],
    [run({ samples: [{ ...good, serverMs: -1 }] }), /serverMs has to be a number of milliseconds/],
  ];
  for (const [body, problem] of bad) {
    test(`is refused: ${problem.source}`, () =>
      assert.throws(() => read(body), { name: 'RangeError', message: problem }));
  }
});

describe('the answers', () => {
  /** An API that answers every request as configured. */
  async function answering(
    answer: (req: http.IncomingMessage, res: http.ServerResponse) => void,
    work: (client: Client) => Promise<void>,
  ): Promise<void> {
    const server = http.createServer((req, res) => {
      req.resume();
      res.setHeader('Server-Timing', 'app;dur=0.100');
      answer(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = new Client((server.address() as AddressInfo).port);
    try {
      await work(client);
    } finally {
      client.close();
      server.close();
    }
  }
  const send = (res: http.ServerResponse, status: number, body: unknown): unknown =>
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

  test('of a contestant that stores nothing are wrong', async () => {
    const answer = (req: http.IncomingMessage, res: http.ServerResponse): unknown =>
      req.url === '/control' ? send(res, 200, { ok: true }) : send(res, 201, { id: 'a' });
    await answering(answer, async (client) => {
      await assert.rejects(
        transcript('Forgetful', client),
        /wrong answer of Forgetful to GET \/string\/a: status 201 for 200/,
      );
    });
  });

  test('of another media type are wrong', async () => {
    const answer = (_: http.IncomingMessage, res: http.ServerResponse): unknown => res.end('{"ok":true}');
    await answering(answer, (client) =>
      assert.rejects(verify(new Map([['Plain', client]])), /GET \/control: media type ''/),
    );
  });

  test('that are missing are reported with their contestant', async () => {
    const answer = (req: http.IncomingMessage): unknown => req.socket.destroy();
    await answering(answer, (client) =>
      assert.rejects(verify(new Map([['Gone', client]])), /^WrongAnswer: crud: Gone does not answer: socket hang up$/),
    );
  });

  test('without their timing are refused', async () => {
    const answer = (_: http.IncomingMessage, res: http.ServerResponse): void => {
      res.removeHeader('Server-Timing');
      res.end();
    };
    const request = { method: 'GET', path: '/control' };
    await answering(answer, (client) => assert.rejects(client.send(request), /has no Server-Timing/));
  });

  test('carry their timing in one field', () => {
    assert.equal(readServerTiming('app;dur=1.250'), 1.25);
    assert.equal(readServerTiming('db;dur=3, app;dur=0.5'), 0.5);
    assert.equal(readServerTiming('snapp;dur=1'), undefined);
    assert.equal(readServerTiming(undefined), undefined);
  });
});

describe('what is asked for', () => {
  test('is a contestant of the study', () => {
    assert.deepEqual(Object.keys(chooseContestants(['Nonstop', 'Hapi'])), ['Hapi', 'Nonstop']);
    assert.throws(
      () => chooseContestants(['toString']),
      /crud has no contestant 'toString'; there are Express 5, Hapi, Koa/,
    );
  });

  test('of all studies are those that take part here', () => {
    assert.deepEqual(contestantsAmong(['node:http', 'Koa']), ['Koa']);
    assert.equal(contestantsAmong(undefined), undefined);
  });
});

describe('a database', () => {
  test('has the name that it reports, and MongoDB only if it is one', () => {
    assert.equal(labelOf({ version: '8.0.4', storageEngines: ['devnull', 'wiredTiger'] }), 'MongoDB 8.0.4');
    assert.equal(labelOf({ version: '7.0.42', ferretdbVersion: 'v1.24.0' }), 'FerretDB v1.24.0');
    assert.equal(labelOf({ version: '7.0.77', ferretdb: { version: 'v2.1.0' } }), 'FerretDB v2.1.0');
    assert.equal(labelOf({ version: '5.0.0' }), 'a server over the MongoDB protocol 5.0.0');
  });

  const options = { shapes: shapeNames, progress: () => undefined };

  test('that cannot be reached is reported in one line, without the password', async () => {
    const open = openDatabase({ ...options, url: 'mongodb://u:secret@127.0.0.1:1/x?serverSelectionTimeoutMS=100' });
    await assert.rejects(open, ({ message }: Error) => {
      assert.match(message, /^No database answers at MONGODB_URL: [^\n]+$/);
      assert.doesNotMatch(message, /secret/);
      return true;
    });
  });

  test('cannot be built without Go: one line says what to do, and no files are left', async () => {
    const { PATH } = process.env;
    const home = folder({});
    process.env['PATH'] = home;
    try {
      await assert.rejects(buildFerretDb({ home }), /^Error: The study crud needs a database .* install Go [^\n]+$/);
    } finally {
      process.env['PATH'] = PATH;
    }
    assert.deepEqual(fs.readdirSync(home), []);
  });
});
