import { findCores } from './cores.js';
import { preferred, required, type Choice } from './generators.js';
import type { Generator } from './load.js';
import { measure, type Settings } from './measure.js';
import { isInstalled } from './on-demand.js';
import { colophon, newRecord, recorded, save, saveLast, type BenchRecord, type RunOptions } from './record.js';
import { loadScenario, missing, noteAlike, type Scenario } from './scenario.js';
import { limitLine, summarise } from './summary.js';
import { table } from './table.js';

export interface HeadToHeadOptions extends Settings, RunOptions {
  /** Names of scenarios. */
  readonly rows: readonly string[];
  /** The contestants, if a scenario has them. Default: bare node:http or node:http2, Express and Nonstop. */
  readonly contestants?: readonly string[];
  readonly nodes: readonly { readonly version: string; readonly path: string }[];
  /** A name or a generator. Default: `wrk` if it is installed, otherwise `autocannon`. */
  readonly generator?: 'wrk' | 'autocannon' | Generator;
}

/**
 * Compares the contestants of each row on each Node, then prints the table and saves the record.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} if a scenario is unknown or the named generator is not installed
 */
export async function headToHead(options: HeadToHeadOptions): Promise<BenchRecord> {
  const { rows, nodes, signal } = options;
  const { rounds, seconds, warmup, connections, settled, quick } = options;
  const scenarios = rows.map((row) => withOnly(options.contestants ?? usual, loadScenario(row)));
  const { generator, note } = chooseGenerator(options.generator);
  const cores = findCores();
  const setup = { generator, cores, settings: { rounds, seconds, warmup, connections, settled, quick } };
  const record = newRecord('head-to-head', setup, options.results);
  if (note !== undefined) record.notes.push(note);
  await recorded(record, options, async () => {
    for (const node of nodes) {
      for (const [index, scenario] of scenarios.entries()) {
        const lacks = missing(scenario) ?? uninstalled(scenario);
        if (lacks !== undefined) {
          const note = `${scenario.name} was left out: ${lacks}.`;
          if (!record.notes.includes(note)) record.notes.push(note);
          continue;
        }
        const place = `Node ${node.version}, ${scenario.title} (${index + 1} of ${scenarios.length})`;
        await measure(scenario, {
          settings: record.settings,
          generator,
          cores,
          node,
          signal,
          progress: (step) => options.progress(place, step),
          onSample: (sample) => record.samples.push(sample),
          onFailure: (failure) => record.failures.push(failure),
        });
        save(record, options.results);
      }
    }
  });
  const measured = new Set(record.samples.map(({ scenario }) => scenario));
  const taken = scenarios.filter(({ name }) => measured.has(name));
  record.notes.push(...noteAlike(taken, generator.name));
  conclude(record, options);
  return record;
}

const usual = ['node:http', 'node:http2', 'Express 5', 'Express 4', 'Nonstop'];

/** The board installs what a row needs, this comparison does not. */
const uninstalled = ({ name, onDemand = [] }: Scenario): string | undefined =>
  onDemand.every((spec) => isInstalled(spec)) ? undefined : `npm run lab -- board --row ${name} installs its packages`;

const withOnly = (contestants: readonly string[], scenario: Scenario): Scenario => ({
  ...scenario,
  peers: Object.fromEntries(Object.entries(scenario.peers).filter(([name]) => contestants.includes(name))),
});

function chooseGenerator(wanted: HeadToHeadOptions['generator']): Choice {
  if (typeof wanted === 'object') return { generator: wanted };
  return wanted === undefined ? preferred('wrk') : { generator: required(wanted) };
}

function conclude(record: BenchRecord, { print, results, width }: HeadToHeadOptions): void {
  const file = saveLast(record, results);
  const rows = summarise(record.samples);
  if (rows.length > 0 || record.failures.length > 0) print(`\n${table(rows, record.failures, width)}`);
  const limit = limitLine(rows);
  if (limit !== undefined) print(`\n${limit}`);
  print(`\n${colophon(record, file)}`);
}
