import path = require('node:path');
import { comparisonCells, compareRounds } from '../board/compare.js';
import { findCores } from '../cores.js';
import { preferred } from '../generators.js';
import type { Generator } from '../load.js';
import { measure, type Bench, type Settings } from '../measure.js';
import { labRoot } from '../paths.js';
import { colophon, newRecord, recorded, save, saveLast, type BenchRecord, type RunOptions } from '../record.js';
import { loadScenario, type PeerSource } from '../scenario.js';
import { admit } from '../study/admission.js';
import { contestants as all, type Contestant } from '../study/contestants.js';
import { summarise } from '../summary.js';
import { tableCells, tableWords } from '../table.js';
import { textTable } from '../text-table.js';

export interface WayInOptions extends Settings, RunOptions {
  readonly nodes: readonly Bench['node'][];
  /** Names of frameworks. Default: all that are written for node:http. */
  readonly contestants?: readonly string[];
  /** `wrk` where it is installed, and `autocannon` elsewhere, when left out. */
  readonly generator?: Generator;
}

/** Frameworks that are written for `node:http`. */
const frameworks = ['node:http', 'Koa', 'Fastify', 'Hapi', 'Restify', 'Hono', 'Polka'];

/** The name of a framework whose servers the preload hands to the engine. */
const onEngine = (name: string): string => `${name} + register`;

/**
 * Measures a hello world of each framework with and without `nonstop/http/register`, in the same rounds.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} when a framework is not known
 */
export async function wayIn(options: WayInOptions): Promise<BenchRecord> {
  const names = chosen(options.contestants);
  const { rounds, seconds, warmup, connections, settled, quick } = options;
  const choice = options.generator === undefined ? preferred('wrk') : { generator: options.generator };
  const settings = { rounds, seconds, warmup, connections, settled, quick };
  const setup = { generator: choice.generator, cores: findCores(), settings };
  const record = { ...newRecord('way-in', setup, options.results), study: 'way-in' };
  if (choice.note !== undefined) record.notes.push(choice.note);
  await recorded(record, options, async () => {
    for (const node of options.nodes) {
      const wanted = Object.fromEntries(names.map((name): [string, Contestant] => [name, all[name]]));
      const peers = await admit(wanted, { record, node, bun: undefined, options });
      for (const [name, peer] of Object.entries(peers)) {
        // One pair at a time, so that the compared servers run in the same rounds.
        const scenario = { ...loadScenario('hello'), name: `hello, ${name}`, peers: pair(name, peer) };
        await measure(scenario, {
          settings: record.settings,
          generator: choice.generator,
          cores: record.cores,
          node,
          signal: options.signal,
          progress: (step) => options.progress(`Node ${node.version}, ${name}`, step),
          onSample: (sample) => record.samples.push(sample),
          onFailure: (failure) => record.failures.push(failure),
        });
        save(record, options.results);
      }
    }
  });
  conclude(record, names, options);
  return record;
}

function chosen(names: readonly string[] = frameworks): readonly string[] {
  const unknown = names.find((name) => !frameworks.includes(name));
  if (unknown === undefined) return names;
  throw new Error(`There is no framework '${unknown}' here; there are ${frameworks.join(', ')}`);
}

function pair(name: string, peer: PeerSource): Record<string, PeerSource> {
  const preload = ['--require', path.join(labRoot, 'peers', 'on-engine.js')];
  const plain = { ...peer, env: { ...peer.env, SCENARIO: 'hello' } };
  return { [name]: plain, [onEngine(name)]: { ...plain, nodeOptions: preload } };
}

function conclude(record: BenchRecord, names: readonly string[], { print, results }: WayInOptions): void {
  const file = saveLast(record, results);
  const rows = summarise(record.samples);
  if (rows.length > 0) print(`\n${textTable(tableCells(rows), tableWords)}`);
  const [[, ...head], ...lines] = comparisonCells(
    names.flatMap((name) => compareRounds(record.samples, name, onEngine(name))),
    'without it',
  );
  if (lines.length > 0) print(`\n${textTable([['Node', ...head], ...lines], 3)}`);
  for (const { contestant, node, problem } of record.failures) print(`\n${contestant} on Node ${node}: ${problem}`);
  print(`\n${colophon(record, file)}`);
}
