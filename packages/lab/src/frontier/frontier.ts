import path = require('node:path');
import type { Shares } from '../agent.js';
import { findCores } from '../cores.js';
import { preferred } from '../generators.js';
import type { Generator } from '../load.js';
import { takeSample, verify, warmUp, type Bench, type Settings } from '../measure.js';
import { labRoot } from '../paths.js';
import { Peer } from '../peer.js';
import { loadScenario, type PeerSource, type Scenario } from '../scenario.js';
import { median, rotated } from '../stats.js';
import { textTable } from '../text-table.js';
import { inTemporaryFolder, outsideOf } from './outside.js';

export interface FrontierOptions {
  readonly settings: Settings;
  /** Names of scenarios. */
  readonly rows: readonly string[];
  readonly nodes: readonly Bench['node'][];
  readonly signal: AbortSignal;
  readonly progress: (place: string, step: string) => void;
  readonly print: (text: string) => void;
}

/** Microseconds of a request, all that is known of a server that is not Node's. */
export interface Total {
  readonly total: number;
  readonly kernel: number;
}

/** Microseconds of a request by where they are spent. */
export interface Parts extends Total {
  /** libuv, node's and V8's C++. */
  readonly native: number;
  readonly nodeJs: number;
  readonly collections: number;
  /** Other JavaScript by folder: the layers of Nonstop, and `application`. */
  readonly layers: Readonly<Record<string, number>>;
}

/** Nonstop as compiled from its sources, with a file for each: the published package is one file. */
const sources = path.join(labRoot, '..', '..', '.build', 'packages', 'nonstop', 'src');

const APPLICATION = 'application';
const LAYERS = ['wire', 'http', 'node', 'core', 'routing', 'express', APPLICATION];

/**
 * Prints for each row where the time of a request goes, on a server of node's sockets that sends a constant, on bare node:http and on
 * Nonstop, and the whole of it on a constant in C and on Bun.serve where they can run: medians over the rounds.
 *
 * @throws {Error} in one line, if a row is unknown or has no server by hand
 */
export async function frontier(options: FrontierOptions): Promise<void> {
  const without = options.rows.find((row) => loadScenario(row).peers['node:http'] === undefined);
  if (without !== undefined)
    throw new Error(`The row '${without}' has no server by hand on node:http, which the frontier is compared with`);
  const { generator } = preferred('wrk');
  await inTemporaryFolder(async (folder) => {
    const { servers, missing } = outsideOf(folder);
    for (const line of missing) options.print(line);
    const { cells, savings } = await measured(generator, servers, options);
    options.print(`\n${textTable(cells, 3)}`);
    for (const line of savings) options.print(line);
  });
}

async function measured(
  generator: Generator,
  outside: Readonly<Record<string, PeerSource>>,
  options: FrontierOptions,
): Promise<{ cells: string[][]; savings: string[] }> {
  const cells = [titles];
  const savings: string[] = [];
  for (const node of options.nodes) {
    for (const row of options.rows) {
      const progress = (step: string): void => options.progress(`Node ${node.version}, ${row}`, step);
      const { settings, signal } = options;
      const ignored = (): void => undefined;
      const bench = { settings, generator, cores: findCores(), node, signal, progress };
      const scenario = loadScenario(row);
      // Servers that are not Node's have no proxy in front.
      const servers = {
        ...serversOf(scenario),
        ...(doorOf(scenario) === undefined ? constantsOf(scenario, outside) : {}),
      };
      if (!ROWS_OF_BUN.includes(row)) delete servers['Bun.serve'];
      const parts = await partsOf(scenario, servers, { ...bench, onSample: ignored, onFailure: ignored });
      for (const [server, its] of parts) cells.push([node.version, row, server, ...numbers(its)]);
      const saving = savingOf(parts);
      if (saving !== undefined) savings.push(`${row} on Node ${node.version}: ${saving}`);
    }
  }
  return { cells, savings };
}

/**
 * How much of what a server could save Nonstop saves. The kernel and node's sockets cost a server in JavaScript the same, whatever it does, so what
 * could be saved is what `node:http` needs above the server on net that does the most of the handler's work.
 *
 * @param parts of one row, by the names of the servers
 * @returns a line, or undefined if `node:http` needs no more than that server
 */
export function savingOf(parts: ReadonlyMap<string, Total>): string | undefined {
  const floor = parts.has('the work on net') ? 'the work on net' : 'a constant on net';
  const [least, byHand, ours] = [floor, 'node:http', 'Nonstop'].map((name) => parts.get(name)?.total ?? Number.NaN);
  const above = byHand - least;
  if (!(above > 0)) return undefined;
  const saved = byHand - ours;
  const share = Math.round((saved / above) * 100);
  return `of the ${above.toFixed(2)} µs that node:http needs above ${floor}, Nonstop saves ${saved.toFixed(2)} (${share} %)`;
}

const titles = ['Node', 'row', 'server', 'µs', 'kernel', 'C++', "node's JS", 'collections', ...LAYERS];

function numbers(parts: Parts | Total): string[] {
  if (!('layers' in parts)) return titles.slice(3).map((_, i) => [parts.total, parts.kernel][i]?.toFixed(2) ?? '');
  const { total, kernel, native, nodeJs, collections, layers } = parts;
  const known = [total, kernel, native, nodeJs, collections, ...LAYERS.map((layer) => layers[layer] ?? 0)];
  return known.map((microseconds) => microseconds.toFixed(2));
}

/** What `bun-serve.js` answers. */
const ROWS_OF_BUN = ['hello', 'echo', 'query-api', 'getter', 'varied', 'async'];

/** What `net-work.js` answers. */
const ROWS_OF_WORK = ['varied', 'async', 'proxy'];

/** A server that does what the handlers of a scenario do, and nothing of HTTP. */
export const workOnNet = ({ name, peers }: Scenario): PeerSource => ({
  file: 'net-work.js',
  env: { SCENARIO: name, ...peers['node:http'].env },
});

/** How the servers of a scenario are reached, if not directly. */
const doorOf = ({ peers }: Scenario): string | undefined => peers['node:http'].env?.DOOR;

/** How a server that reads nothing of its requests learns how many come at once, and whether each has its own connection. */
function shapeOf({ load = {} }: Scenario): Record<string, string> {
  return {
    ...(load.pipeline === undefined ? {} : { PIPELINED: String(load.pipeline) }),
    ...(load.keepAlive === false ? { CLOSES: '1' } : {}),
  };
}

/** @returns servers for the load of a scenario */
export function constantsOf(
  scenario: Scenario,
  servers: Readonly<Record<string, PeerSource>>,
): Record<string, PeerSource> {
  const env = shapeOf(scenario);
  return Object.fromEntries(
    Object.entries(servers).map(([name, source]) => [name, { ...source, env: { ...source.env, ...env } }]),
  );
}

/** A server on node's sockets that sends a constant. */
export const constantOnNet = (scenario: Scenario): PeerSource => ({
  file: 'net-constant.js',
  env: { ...scenario.peers['node:http'].env, ...shapeOf(scenario) },
});

function serversOf(scenario: Scenario): Record<string, PeerSource> {
  const { 'node:http': byHand, Nonstop } = scenario.peers;
  return {
    'a constant on net': constantOnNet(scenario),
    ...(ROWS_OF_WORK.includes(scenario.name) ? { 'the work on net': workOnNet(scenario) } : {}),
    'node:http': byHand,
    Nonstop: { ...Nonstop, env: { ...Nonstop.env, NONSTOP: path.join(sources, 'entry', 'index.js') } },
  };
}

async function partsOf(
  scenario: Scenario,
  servers: Readonly<Record<string, PeerSource>>,
  bench: Bench,
): Promise<Map<string, Parts | Total>> {
  const peers = new Map<string, Peer>();
  const taken = new Map<string, (Parts | Total)[]>();
  const start = { node: bench.node.path, scenario: scenario.name, core: bench.cores.server, signal: bench.signal };
  try {
    for (const [name, source] of Object.entries(servers)) peers.set(name, await Peer.start(source, start));
    // Without the servers that read nothing of a request: their answer is fixed.
    await verify(scenario, new Map([...peers].filter(([name]) => Object.hasOwn(scenario.peers, name))));
    for (const [name, peer] of peers) {
      bench.progress(`${name}, warm-up`);
      await warmUp(peer, scenario, bench);
    }
    for (let round = 0; round < bench.settings.rounds; round++) {
      for (const [name, peer] of rotated([...peers], round)) {
        bench.progress(`${name}, round ${round + 1} of ${bench.settings.rounds}`);
        taken.set(name, [...(taken.get(name) ?? []), await takeParts(peer, scenario, bench)]);
      }
    }
  } finally {
    await Promise.all([...peers.values()].map((peer) => peer.stop()));
  }
  return new Map([...taken].map(([name, parts]) => [name, medians(parts)]));
}

/** Loads a server twice: without the profiler for the time, and with it for the shares. */
async function takeParts(peer: Peer, scenario: Scenario, bench: Bench): Promise<Parts | Total> {
  const { seconds } = bench.settings;
  const before = await peer.usage();
  const { requests } = await takeSample(peer, scenario, { seconds }, bench);
  const after = await peer.usage();
  const total = (after.cpu - before.cpu) / requests;
  const kernel = (after.system - before.system) / requests;
  if (!peer.onNode) return { total, kernel };
  return split(total, kernel, await peer.sharesDuring(() => takeSample(peer, scenario, { seconds }, bench)));
}

/**
 * Splits the time of a request. The profiler does not see the kernel: a call that waits for it counts as C++, from which
 * the system time is subtracted.
 *
 * @param total µs of a request, user and system
 * @param kernel µs of it in the system
 */
export function split(total: number, kernel: number, { scripts, nodeJs, collections }: Shares): Parts {
  const layers: Record<string, number> = {};
  let ours = 0;
  for (const [url, share] of Object.entries(scripts)) {
    const layer = /\/packages\/nonstop\/src\/(\w+)\//.exec(url)?.[1] ?? APPLICATION;
    const column = LAYERS.includes(layer) ? layer : APPLICATION;
    layers[column] = (layers[column] ?? 0) + share * total;
    ours += share * total;
  }
  const native = Math.max(0, total - kernel - ours - (nodeJs + collections) * total);
  return { total, kernel, native, nodeJs: nodeJs * total, collections: collections * total, layers };
}

function medians(taken: readonly (Parts | Total)[]): Parts | Total {
  const total = median(taken.map((one) => one.total));
  const kernel = median(taken.map((one) => one.kernel));
  const parts = taken.filter((one) => 'layers' in one);
  if (parts.length === 0) return { total, kernel };
  const of = (read: (one: Parts) => number): number => median(parts.map(read));
  return {
    total,
    kernel,
    native: of(({ native }) => native),
    nodeJs: of(({ nodeJs }) => nodeJs),
    collections: of(({ collections }) => collections),
    layers: Object.fromEntries(LAYERS.map((layer) => [layer, of(({ layers }) => layers[layer] ?? 0)])),
  };
}
