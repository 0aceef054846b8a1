import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { verify, type Sample } from '../src/measure.js';
import { isInstalled } from '../src/on-demand.js';
import { loadScenario, type PeerSource } from '../src/scenario.js';
import { bringsBun, findBun } from '../src/study/bun.js';
import { compareWithPublished } from '../src/study/comparison.js';
import { chooseContestants, contestants } from '../src/study/contestants.js';
import { runStudy } from '../src/study/study.js';
import { chooseStudies, studies } from '../src/study/studies.js';
import { summarise } from '../src/summary.js';
import { attended } from './fixtures/attended.js';
import { keepsAlive } from './fixtures/keeps-alive.js';
import { twenty } from './fixtures/twenty.js';
import { withoutPrograms } from './fixtures/without-programs.js';
import { withPeers } from './fixtures/with-peers.js';

const node = { version: process.version, path: process.execPath };

for (const study of studies) {
  describe(`the study ${study.name}`, () => {
    const all = Object.entries(chooseContestants(study));
    const runs = ([, one]: (typeof all)[number]): boolean => one.onDemand === undefined && !one.onBun;
    const ready: Record<string, PeerSource> = Object.fromEntries(all.filter(runs));

    test('gets equal answers from every contestant', async () => {
      const scenario = { ...loadScenario(study.scenario), peers: ready };
      await withPeers(scenario, async (peers) => {
        await verify(scenario, peers);
        if (study.generator !== 'ab' || scenario.load?.keepAlive === false) return;
        for (const [name, { port }] of peers) assert.ok(await keepsAlive(port, scenario.request.path), name);
      });
    });

    test('runs in its shortest form, with its own generator', async () => {
      const change = {
        connections: [2],
        rounds: 1,
        requests: study.settings.requests && 100,
        seconds: 0.2,
        warmup: 0.1,
        settled: 1,
      };
      const names = ['Express 5', 'Nonstop'];
      const { record, saved, printed } = await attended((run) =>
        runStudy(study, { ...run, nodes: [node], quick: true, change, contestants: names }),
      );
      assert.equal(record.ended, 'complete', printed);
      assert.deepEqual(record.failures, []);
      assert.deepEqual([...new Set(record.samples.map(({ contestant }) => contestant))].sort(), names);
      assert.equal(record.publishedGenerator, study.generator);
      for (const name of names) assert.match(record.versions[name] ?? '', /^\d+\.\d+\.\d+/, name);
      const told = record.generator.name === study.generator || record.notes.some((note) => note.includes('stands in'));
      assert.ok(told, 'another generator is used, and the record does not say so');
      assert.deepEqual(saved, JSON.parse(JSON.stringify(record)));
    });
  });
}

const [restifyName, restify] = Object.entries(contestants).find(([, { onDemand }]) => onDemand !== undefined) ?? [];
const missing =
  restify === undefined || !isInstalled(restify.onDemand?.spec ?? '')
    ? 'not installed: a study installs it on demand'
    : false;
test(`${restifyName} gives equal answers if it is installed`, { skip: missing }, async () => {
  for (const study of studies) {
    const scenario = { ...loadScenario(study.scenario), peers: { [restifyName as string]: restify as PeerSource } };
    await withPeers(scenario, (peers) => verify(scenario, peers));
  }
});

describe('a contestant on Bun', () => {
  const onBun = Object.entries(contestants).filter(([, one]) => one.onBun);
  const bun = findBun();

  test('gives equal answers if Bun is installed', { skip: bun ? false : bringsBun }, async () => {
    const peers = Object.fromEntries(onBun.map(([name, one]) => [name, { ...one, program: bun?.path }]));
    for (const study of studies) {
      const scenario = { ...loadScenario(study.scenario), peers };
      await withPeers(scenario, (started) => verify(scenario, started));
    }
  });

  test('is left out with a note if it is not', async () => {
    await withoutPrograms(async () => {
      const change = { connections: [2], rounds: 1, requests: 50, warmup: 0.1, settled: 1 };
      const { record } = await attended((run) =>
        runStudy(studies[0], {
          ...run,
          // Restify, which would be downloaded, does not run on that Node.
          nodes: [{ ...node, version: 'v24.0.0' }],
          quick: true,
          change,
          generator: twenty,
        }),
      );
      const names = new Set(record.samples.map(({ contestant }) => contestant));
      assert.ok(names.has('Nonstop') && !names.has('Bun.serve'));
      assert.match(record.notes.join('\n'), /^Without Bun\.serve and Express on Bun: bun is not installed \(npm/m);
    });
  });

  test('is an error if it is not installed and was named', async () => {
    await withoutPrograms(async () => {
      const run = attended((attendance) =>
        runStudy(studies[0], { ...attendance, nodes: [node], contestants: ['Bun.serve'], generator: twenty }),
      );
      await assert.rejects(run, /^Error: Bun\.serve runs on Bun; bun is not installed \(npm/);
    });
  });
});

test('a missing generator is replaced, and the record names the replacement and how to get the missing one', async () => {
  await withoutPrograms(async () => {
    const [hello] = chooseStudies('hello');
    const change = { connections: [2], rounds: 1, requests: 50, warmup: 0.1, settled: 1 };
    const { record, printed } = await attended((run) =>
      runStudy(hello, { ...run, nodes: [node], quick: true, change, contestants: ['Nonstop'] }),
    );
    assert.deepEqual([record.ended, record.failures, record.samples.length], ['complete', [], 1], printed);
    assert.deepEqual([record.publishedGenerator, record.generator.name], ['curl-multi', 'autocannon']);
    assert.match(
      printed,
      /^the libcurl client cannot be built here; it needs cc and the package libcurl4-openssl-dev.*/m,
    );
    assert.match(printed, /autocannon from npm stands in for it\.$/m);
  });
});

describe('what is asked for', () => {
  test('is a study or all of them', () => {
    assert.deepEqual(
      chooseStudies('echo').map(({ name }) => name),
      ['echo'],
    );
    assert.equal(chooseStudies('all').length, studies.length);
    assert.throws(
      () => chooseStudies('crude'),
      /no study 'crude'; there are query-api, echo, hello, getter, crud and all/,
    );
  });

  test('is a contestant of the study', () => {
    const [first] = studies;
    assert.deepEqual(Object.keys(chooseContestants(first, ['Koa', 'Hapi'])), ['Hapi', 'Koa']);
    assert.throws(() => chooseContestants(first, ['Object.create']), /query-api has no contestant 'Object\.create'/);
  });

  test('must be a known generator', async () => {
    const run = attended((attendance) => runStudy(studies[0], { ...attendance, nodes: [node], generator: 'siege' }));
    await assert.rejects(run, /no generator 'siege'/);
  });
});

describe('the published comparison', () => {
  const sample = (contestant: string, requests: number, change: Partial<Sample> = {}): Sample => ({
    scenario: 'hello',
    contestant,
    node: 'v24.0.0',
    connections: 1,
    round: 0,
    requests,
    seconds: 1,
    p50: 1,
    p99: 1,
    cpu: 1,
    rss: 100,
    ...change,
  });
  const [hello] = chooseStudies('hello');

  test('is measured against each Express that takes part, with Nonstop beside it', () => {
    const rows = summarise([
      sample('node:http', 300),
      sample('Express 4', 100),
      sample('Express 5', 150),
      sample('Nonstop', 450),
    ]);
    const compared = compareWithPublished(hello, rows);
    assert.deepEqual(
      compared.map(({ measuredAgainst, share, measured, nonstop }) => [measuredAgainst, share, measured, nonstop]),
      [
        ['Express 4', 2, 3, 4.5],
        ['Express 5', 2, 2, 3],
      ],
    );
  });

  test('uses its own figure, at its own number of connections', () => {
    const many = { connections: 100 };
    const rows = summarise([sample('node:http', 300, { ...many, rss: 50 }), sample('Express 5', 100, many)]);
    const compared = compareWithPublished(hello, rows);
    assert.deepEqual(
      compared.map(({ figure, connections, measured, nonstop }) => [figure, connections, measured, nonstop]),
      [
        ['perSecond', 100, 3, undefined],
        ['rss', 100, 0.5, undefined],
      ],
    );
  });
});
