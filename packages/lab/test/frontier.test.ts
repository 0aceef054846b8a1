import assert = require('node:assert/strict');
import net = require('node:net');
import { test } from 'node:test';
import { constantOnNet, constantsOf, frontier, savingOf, split, workOnNet } from '../src/frontier/frontier.js';
import { inTemporaryFolder, outsideOf } from '../src/frontier/outside.js';
import { withPeers } from './fixtures/with-peers.js';
import { loadScenario } from '../src/scenario.js';
import { ask } from '../src/ask.js';
import { differences, expectationFrom } from '../src/verify.js';

test('the time of a request is split by where it is spent', () => {
  const scripts = {
    'file:///a/.build/packages/nonstop/src/wire/parser.js': 0.1,
    'file:///a/.build/packages/nonstop/src/http/connection/turns.js': 0.1,
    '/a/packages/lab/peers/applications.js': 0.1,
    '/a/node_modules/other/index.js': 0.1,
  };
  const parts = split(10, 4, { scripts, nodeJs: 0.05, collections: 0.05 });
  assert.deepEqual(parts.layers, { wire: 1, http: 1, application: 2 });
  assert.deepEqual([parts.kernel, parts.native, parts.nodeJs, parts.collections], [4, 1, 0.5, 0.5]);
});

test('what Nonstop saves is a share of what node:http needs above the server on net that does the most', () => {
  const total = (µs: number): { total: number; kernel: number } => ({ total: µs, kernel: 1 });
  const hello = { 'a constant on net': total(6), 'node:http': total(10), Nonstop: total(7) };
  const line = /^of the 4\.00 µs that node:http needs above a constant on net, Nonstop saves 3\.00 \(75 %\)$/;
  assert.match(savingOf(new Map(Object.entries(hello)))!, line);
  const varied = { ...hello, 'the work on net': total(8), Nonstop: total(11) };
  const more = /^of the 2\.00 µs that node:http needs above the work on net, Nonstop saves -1\.00 \(-50 %\)$/;
  assert.match(savingOf(new Map(Object.entries(varied)))!, more);
  assert.equal(savingOf(new Map(Object.entries({ ...hello, 'a constant on net': total(10) }))), undefined);
});

test('a row without a server by hand on node:http is named', async () => {
  const settings = { rounds: 1, seconds: 0.1, warmup: 0.1, connections: 1 };
  const { signal } = new AbortController();
  const nothing = (): void => undefined;
  const options = { settings, nodes: [], signal, progress: nothing, print: nothing };
  await assert.rejects(
    frontier({ ...options, rows: ['hello', 'view'] }),
    /^Error: The row 'view' has no server by hand/,
  );
});

test('a server reports the scripts in which it spends its time', async () => {
  const scenario = loadScenario('hello');
  const { 'node:http': peer } = scenario.peers;
  await withPeers({ ...scenario, peers: { 'node:http': peer } }, async (peers) => {
    const server = peers.get('node:http')!;
    const shares = await server.sharesDuring(async () => {
      for (let count = 0; count < 200; count++) await ask(server.port, scenario.request);
    });
    const all = Object.values(shares.scripts).reduce((sum, share) => sum + share, shares.nodeJs + shares.collections);
    assert.ok(shares.nodeJs > 0, JSON.stringify(shares));
    assert.ok(all <= 1.001, JSON.stringify(shares));
    const { cpu, system } = await server.usage();
    assert.ok(system > 0 && system < cpu);
  });
});

for (const row of ['varied', 'async', 'proxy']) {
  test(`the work of ${row} on net gives Express's answer`, async () => {
    const scenario = loadScenario(row);
    const { 'Express 5': express } = scenario.peers;
    await withPeers({ ...scenario, peers: { express, work: workOnNet(scenario) } }, async (peers) => {
      const [expected, answer] = await Promise.all([...peers.values()].map(({ port }) => ask(port, scenario.request)));
      assert.deepEqual(differences(answer, expectationFrom(expected, scenario)), []);
    });
  });
}

for (const [row, text] of [
  ['query-api', /Connection: close\r\n\r\nHello World!$/],
  ['pipelined', /^(?:HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\nHello World!){16}$/],
] as const) {
  test(`a constant answers the load of ${row}`, { timeout: 20_000 }, async () => {
    await inTemporaryFolder(async (folder) => {
      const scenario = loadScenario(row);
      const { 'a constant in C': inC } = constantsOf(scenario, outsideOf(folder).servers);
      const servers = { onNet: constantOnNet(scenario), ...(inC === undefined ? {} : { inC }) };
      await withPeers({ ...scenario, peers: servers }, async (peers) => {
        for (const { port } of peers.values()) assert.match(await answerTo(port), text);
      });
    });
  });
}

/** Sends something, and ends the connection unless the server has promised to. @returns all octets until the server has ended it */
async function answerTo(port: number): Promise<string> {
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.setEncoding('latin1').write('anything');
  let answer = '';
  for await (const part of client) {
    answer += part;
    if (answer.endsWith('Hello World!') && answer.includes('keep-alive')) client.end();
  }
  return answer;
}

test("servers that are not Node's are there, or a line says why not", async () => {
  await inTemporaryFolder(async (folder) => {
    const { servers, missing } = outsideOf(folder);
    assert.equal(Object.keys(servers).length + missing.length, 2);
    const { 'a constant in C': constant } = servers;
    if (constant === undefined)
      return assert.match(missing.join('\n'), /Without a constant in C: (it needs Linux|cc )/);
    const scenario = loadScenario('hello');
    await withPeers({ ...scenario, peers: { constant } }, async (peers) => {
      const server = peers.get('constant')!;
      assert.equal(server.onNode, false);
      const { body } = await ask(server.port, scenario.request);
      assert.equal(body, 'Hello World!');
      // The clock of /proc ticks every 10 ms.
      let used = await server.usage();
      for (let count = 0; count < 10_000 && used.system === 0; count++) {
        await ask(server.port, scenario.request);
        used = await server.usage();
      }
      assert.ok(used.cpu >= used.system && used.system > 0 && used.rss > 0, JSON.stringify(used));
    });
  });
});
