import assert = require('node:assert/strict');
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs = require('node:fs');
import net = require('node:net');
import path = require('node:path');
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { buildFerretDb, canHaveFerretDb } from '../src/crud/build-ferretdb.js';
import { chooseContestants, contestants } from '../src/crud/contestants.js';
import { openDatabase } from '../src/crud/database.js';
import { FerretDb } from '../src/crud/ferretdb.js';
import { serveCrud, type Served } from '../src/crud/serve.js';
import { shapeNames, shapes, verbs } from '../src/crud/shapes.js';
import { startAll, stopAll } from '../src/crud/stage.js';
import { runCrud, type CrudOptions } from '../src/crud/study.js';
import type { CrudSample } from '../src/crud/sample.js';
import { take } from '../src/crud/take.js';
import type { Failure } from '../src/measure.js';
import { repoRoot } from '../src/paths.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { attended } from './fixtures/attended.js';

// The tests must not use a developer's database.
delete process.env['MONGODB_URL'];

const node = { version: process.version, path: process.execPath };
const two = ['Express 5', 'Nonstop'];

// A developer's machine may lack Go; in CI it must be there.
const noGo =
  process.env['CI'] === 'true' || canHaveFerretDb() ? false : 'Go is not installed, which builds the database';

describe('the study crud, over a real database', { skip: noGo }, () => {
  let database: FerretDb;

  before(async () => {
    database = await FerretDb.start(await buildFerretDb());
  });
  after(() => database?.stop());

  const study = (change: Partial<CrudOptions>): ReturnType<typeof attended<Awaited<ReturnType<typeof runCrud>>>> =>
    attended((run) => runCrud({ ...run, nodes: [node], quick: true, url: database.url, ...change }));

  const collections = async (): Promise<string[]> => {
    const client = new MongoClient(database.url);
    try {
      return (await client.db().listCollections().toArray()).map(({ name }) => name);
    } finally {
      await client.close();
    }
  };

  test('gets equal answers from all contestants, and times each request', async () => {
    const { record, saved, printed } = await study({ repetitions: 1 });
    assert.equal(record.ended, 'complete', printed);
    assert.deepEqual(record.failures, []);
    const names = Object.keys(contestants);
    const expected = names.flatMap((name) => [
      ...verbs.map(() => `${name} control GET`),
      ...shapeNames.flatMap((shape) => verbs.map((verb) => `${name} ${shape} ${verb}`)),
    ]);
    const taken = record.samples.map(({ contestant, shape, verb }) => `${contestant} ${shape} ${verb}`);
    assert.deepEqual(taken.sort(), expected.sort());
    for (const { serverMs, clientMs } of record.samples) assert.ok(serverMs > 0 && clientMs > serverMs);
    assert.equal(record.cpu.length, names.length * (1 + shapeNames.length));
    assert.equal(record.compared.length, shapeNames.length * (verbs.length + 1));
    assert.equal(record.database, 'FerretDB v1.24.0');
    for (const name of names) assert.match(record.versions[name], /^\d+\.\d+\.\d+/);
    assert.match(printed, /^Taken in short/m);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
    for (const name of names) assert.match(printed, new RegExp(`\\| ${name} `));
    assert.deepEqual(await collections(), [], 'collections are left in the database');
  });

  test('keeps the finished samples when it is interrupted', async () => {
    const interrupt = new AbortController();
    const progress = (_: string, step: string): void => {
      if (step.startsWith('repetition 2 ')) interrupt.abort();
    };
    const change = { contestants: two, repetitions: 50, progress, signal: interrupt.signal };
    const { record, saved } = await study(change);
    assert.equal(record.ended, 'interrupted');
    const perRepetition = two.length * verbs.length * (1 + shapeNames.length);
    assert.equal(record.samples.length, perRepetition);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
  });

  test('keeps the finished samples when the database fails, and reports it in one line', async () => {
    const own = await FerretDb.start(await buildFerretDb());
    try {
      const progress = (_: string, step: string): void => {
        if (step.startsWith('repetition 2 ')) void own.stop();
      };
      const { record, saved, printed } = await study({
        contestants: two,
        repetitions: 50,
        progress,
        url: `${own.url}?serverSelectionTimeoutMS=500`,
      });
      assert.equal(record.ended, 'stopped');
      assert.match(printed, /^The database \(FerretDB v1\.24\.0\) is gone\.$/m);
      assert.ok(record.samples.length >= two.length * verbs.length * (1 + shapeNames.length));
      assert.deepEqual(record.failures, []);
      assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
    } finally {
      await own.stop();
    }
  });

  test('continues without a contestant that ends, and says why', async () => {
    const own = await openDatabase({ shapes: shapeNames, progress: () => undefined, url: database.url });
    const peers = await startAll({ contestants: chooseContestants(two), node, database: own });
    const samples: CrudSample[] = [];
    const failures: Failure[] = [];
    try {
      await take({
        node: node.version,
        peers,
        database: own,
        settings: { repetitions: 2, warmup: 0 },
        signal: new AbortController().signal,
        progress(step) {
          if (!step.startsWith('repetition 2 ')) return;
          // The query for its CPU time fails meanwhile, and reports the reason to all callers.
          peers
            .get('Express 5')
            ?.stop()
            .catch(() => undefined);
        },
        onSample: (sample) => samples.push(sample),
        onCpu: () => undefined,
        onFailure: (failure) => failures.push(failure),
        onRepetition: () => undefined,
      });
    } finally {
      await stopAll(peers);
      await own.close();
    }
    assert.deepEqual(
      failures.map(({ contestant }) => contestant),
      ['Express 5'],
    );
    assert.match(failures[0].problem, /SIGTERM/);
    const requests = verbs.length * (1 + shapeNames.length);
    const ofNonstop = samples.filter(({ contestant }) => contestant === 'Nonstop');
    assert.deepEqual([ofNonstop.length, samples.length < 4 * requests], [2 * requests, true]);
  });

  test('gives each collection an index that the queries of FerretDB use', async () => {
    const client = new MongoClient(database.url);
    try {
      for (const name of ['a', 'b']) await client.db().createCollection(name);
      // It checks SQLite's plan of a query, and fails if the query reads the whole table.
      assert.equal(await database.indexIds(), 2);
      for (const name of ['a', 'b']) await client.db().dropCollection(name);
    } finally {
      await client.close();
    }
  });

  describe('served for the page', () => {
    const results = folder({});
    let served: Served;
    const api = async (what: string, options?: RequestInit): Promise<{ status: number; body: unknown }> => {
      const response = await fetch(new URL(what, served.url), options);
      return { status: response.status, body: await response.json() };
    };
    const post = (body: string): ReturnType<typeof api> =>
      api('/api/records', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });

    before(async () => {
      served = await serveCrud({ contestants: two, page: false, results });
    });
    after(() => served?.close());

    test('lists what can be measured, with the addresses', async () => {
      const { status, body } = await api('/api/setup');
      assert.equal(status, 200);
      const setup = body as {
        database: unknown;
        repetitions: number;
        verbs: unknown;
        contestants: { name: string; version: string; origin: string }[];
        shapes: { name: string; record: { value: unknown } }[];
      };
      assert.deepEqual(setup.database, { label: 'FerretDB (SQLite)' });
      assert.deepEqual([setup.repetitions, setup.verbs], [100, verbs]);
      assert.deepEqual(
        setup.contestants.map(({ name }) => name),
        two,
      );
      for (const { name, record } of setup.shapes) assert.deepEqual(record.value, shapes[name].make());
      for (const { origin, version } of setup.contestants) {
        assert.match(version, /^\d+\.\d+\.\d+/);
        const runner = await fetch(`${origin}/runner`);
        assert.match(runner.headers.get('Content-Type') ?? '', /^text\/html/);
        assert.match(await runner.text(), /parent\.postMessage/);
      }
    });

    test('reports that all are healthy', async () => {
      const health = { database: true, contestants: { 'Express 5': true, Nonstop: true } };
      assert.deepEqual(await api('/api/health'), { status: 200, body: health });
    });

    test('saves the measurements of the page', async () => {
      const sample = { contestant: 'Nonstop', shape: 'string', verb: 'GET', repetition: 0, clientMs: 2, serverMs: 1 };
      const { status, body } = await post(JSON.stringify({ settings: { a: 1 }, samples: [sample], ended: 'complete' }));
      assert.equal(status, 201);
      const { file } = body as { file: string };
      assert.equal(path.dirname(file), results);
      assert.match(file, /-crud-browser\.json$/);
      const record = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
      assert.deepEqual(record['samples'], [sample]);
      assert.equal((record['versions'] as Record<string, string>)['node'], process.version);
      assert.deepEqual(
        [record['study'], record['database'], record['ended']],
        ['crud', 'FerretDB (SQLite)', 'complete'],
      );
    });

    test('refuses a body that is not a run, and saves nothing', async () => {
      const before = fs.readdirSync(results);
      assert.deepEqual(await post('{}'), {
        status: 400,
        body: { error: 'ended has to be one of complete, interrupted, stopped' },
      });
      assert.deepEqual(await post('{'), { status: 400, body: { error: 'Bad Request' } });
      assert.deepEqual(await api('/api/other'), { status: 404, body: { error: 'there is no GET /api/other' } });
      assert.deepEqual(fs.readdirSync(results), before);
    });

    test('refuses another site whose name resolves to this address', async () => {
      const { hostname, port } = new URL(served.url);
      const socket = net.connect(Number(port), hostname);
      socket.end('GET /api/setup HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n');
      const [head] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
      assert.match(head, /^HTTP\/1\.1 403 /);
      socket.destroy();
    });

    test('on a port in use prints one line, and leaves nothing running', async () => {
      const { port } = new URL(served.url);
      const again = serveCrud({ contestants: ['Nonstop'], page: false, results, port: Number(port) });
      await assert.rejects(again, new RegExp(`^Error: Port ${port} is taken$`));
    });
  });

  test('leaves neither a database nor a folder when the lab is killed', async () => {
    const module_ = path.join(repoRoot, '.build/packages/lab/src/crud/database.js');
    const code = `require(${JSON.stringify(module_)})
      .openDatabase({ shapes: ['string'], progress() {} })
      .then(({ url }) => console.log(url));`;
    const temporary = folder({});
    const env = { ...process.env, TMPDIR: temporary, MONGODB_URL: '' };
    const lab = spawn(process.execPath, ['-e', code], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(lab.stdout.setEncoding('utf8'), 'data')) as [string];
    assert.equal(fs.readdirSync(temporary).length, 1);
    lab.kill('SIGKILL');
    const port = Number(new URL(url.trim()).port);
    await until(async () => !(await listens(port)) && fs.readdirSync(temporary).length === 0);
  });
});

/** Waits until a condition holds; the runner ends a test that waits for ever. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

async function listens(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
