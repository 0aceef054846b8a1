import { findCores } from '../cores.js';
import { preferred, required } from '../generators.js';
import type { Generator } from '../load.js';
import { measure, type Bench, type Settings } from '../measure.js';
import { install, isInstalled } from '../on-demand.js';
import { colophon, newRecord, recorded, save, saveLast, type BenchRecord, type RunOptions } from '../record.js';
import { loadScenario, missing, noteAlike, type Scenario } from '../scenario.js';
import { summarise } from '../summary.js';
import { table } from '../table.js';
import { buildBase, type Base } from './base.js';
import { compareRounds, comparisonTable } from './compare.js';
import { figureTable, type FigureBench } from './figures.js';
import { firstRequests } from './first-requests.js';
import { idleMemory, waitingMemory } from './idle.js';
import { installedSizes } from './installed.js';
import { judge, verdictTable, type Verdict } from './judge.js';
import { loadedMemory } from './memory.js';
import { chooseRows, type BoardRow } from './rows.js';
import { startTimes } from './start-time.js';

export interface BoardOptions extends Settings, RunOptions {
  /** Names of rows; all when left out. */
  readonly rows?: readonly string[];
  readonly nodes: readonly Bench['node'][];
  /** Connections of the rows `idle` and `waiting`. */
  readonly idle: number;
  /** Compare with this commit instead of with other servers. */
  readonly base?: string;
  /** `wrk` where it is installed, and `autocannon` elsewhere, when left out. */
  readonly generator?: Generator;
}

export interface BoardRecord extends BenchRecord {
  readonly verdicts: Verdict[];
  /** The commit to compare with. */
  base?: string;
}

/**
 * Measures the rows of the board on each Node, prints them with their budgets and saves the record. With `base` it
 * measures this build and that of the commit in the same rounds.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} when a row is not known or the base does not build
 */
export async function board(options: BoardOptions): Promise<BoardRecord> {
  const rows = chooseRows(options.rows);
  const { rounds, mostRounds, seconds, warmup, connections, settled, quick, together, liveHeap, signal } = options;
  const choice = options.generator === undefined ? preferred('wrk') : { generator: options.generator };
  const idle = rows.some(({ kind }) => kind === 'idle' || kind === 'waiting') ? options.idle : undefined;
  const settings = { rounds, mostRounds, seconds, warmup, connections, settled, quick, together, liveHeap, idle };
  const setup = { generator: choice.generator, cores: findCores(), settings };
  const record: BoardRecord = { ...newRecord('board', setup, options.results), verdicts: [] };
  if (choice.note !== undefined) record.notes.push(choice.note);
  if (options.base !== undefined) options.progress(`building ${options.base}`, '');
  const base = options.base === undefined ? undefined : await buildBase(options.base, signal);
  record.base = base?.commit;
  try {
    await recorded(record, options, async () => {
      for (const node of options.nodes) {
        for (const [index, row] of rows.entries()) {
          const place = `Node ${node.version}, ${row.title} (${index + 1} of ${rows.length})`;
          await takeRow(row, figureBench(row, { record, options, node, generator: choice.generator, place }), base);
          save(record, options.results);
        }
      }
    });
  } finally {
    await base?.remove();
  }
  conclude(record, rows, options);
  return record;
}

interface Place {
  readonly record: BoardRecord;
  readonly options: BoardOptions;
  readonly node: Bench['node'];
  readonly generator: Generator;
  readonly place: string;
}

function figureBench(row: BoardRow, { record, options, node, generator, place }: Place): FigureBench {
  return {
    settings: record.settings,
    generator,
    cores: record.cores,
    node,
    signal: options.signal,
    idle: options.idle,
    row: row.name,
    progress: (step) => options.progress(place, step),
    onSample: (sample) => record.samples.push(sample),
    onFailure: (failure) => record.failures.push(failure),
    onFigure: (sample) => record.figures.push(sample),
    onNote: (note) => record.notes.includes(note) || record.notes.push(note),
  };
}

async function takeRow(row: BoardRow, bench: FigureBench, base: Base | undefined): Promise<void> {
  if (base !== undefined && row.kind !== 'load') return bench.onNote(`${row.name} is not compared between commits.`);
  switch (row.kind) {
    case 'load': {
      const scenario = loadScenario(row.name);
      const lacks = missing(scenario);
      if (lacks !== undefined) return bench.onNote(`${row.name} was left out: ${lacks}.`);
      if (scenario.generator !== undefined) noteGenerator(scenario, bench);
      if (!(await tolerated(bench, () => fetchPackages(scenario, bench)))) return;
      return measure(base === undefined ? scenario : againstBase(scenario, base), bench);
    }
    case 'idle':
      return void (await tolerated(bench, idleMemory));
    case 'waiting':
      return void (await tolerated(bench, waitingMemory));
    case 'memory':
      return void (await tolerated(bench, loadedMemory));
    case 'start':
      return void (await tolerated(bench, startTimes));
    case 'first':
      return void (await tolerated(bench, firstRequests));
    case 'installed':
      return installedSizes(bench);
  }
}

function noteGenerator({ name, load, generator }: Scenario, { settings, onNote }: FigureBench): void {
  const { version } = required(generator as string);
  const { connections = settings.connections, streams } = load ?? {};
  const each = streams === undefined ? '' : ` with ${streams} streams each`;
  onNote(`${name}: ${generator} ${version}, ${connections} connections${each}.`);
}

async function fetchPackages({ onDemand = [] }: Scenario, { progress, signal }: FigureBench): Promise<void> {
  if (!onDemand.every((spec) => isInstalled(spec))) progress('installing the packages of its contestants');
  await install(onDemand, signal);
}

/** A row that cannot be measured is reported, and the others continue. @returns whether it could be */
async function tolerated(bench: FigureBench, take: (bench: FigureBench) => Promise<void>): Promise<boolean> {
  try {
    await take(bench);
    return true;
  } catch (error) {
    bench.signal.throwIfAborted();
    const problem = error instanceof Error ? error.message : String(error);
    bench.onFailure({ scenario: bench.row, contestant: 'the row', node: bench.node.version, problem });
    return false;
  }
}

const baseName = (commit: string): string => `Nonstop ${commit}`;

function againstBase(scenario: Scenario, { commit, entry }: Base): Scenario {
  const { Nonstop } = scenario.peers;
  const old = { ...Nonstop, env: { ...Nonstop.env, NONSTOP: entry } };
  return { ...scenario, peers: { [baseName(commit)]: old, Nonstop } };
}

function conclude(
  record: BoardRecord,
  rows: readonly BoardRow[],
  { nodes, print, results, width }: BoardOptions,
): void {
  const loads = summarise(record.samples);
  const scenarios = rows.filter(({ kind }) => kind === 'load').map(({ name }) => loadScenario(name));
  record.notes.push(...noteAlike(scenarios, record.generator.name));
  if (record.base === undefined) {
    const { quick, rounds } = record.settings;
    const measured = { loads: record.samples, figures: record.figures, quick, rounds };
    record.verdicts.push(...nodes.flatMap(({ version }) => rows.flatMap((row) => judge(row, version, measured))));
  }
  const file = saveLast(record, results);
  if (loads.length > 0 || record.failures.length > 0) print(`\n${table(loads, record.failures, width)}`);
  if (record.figures.length > 0) print(`\n${figureTable(record.figures)}`);
  if (record.verdicts.length > 0) print(`\n${verdictTable(record.verdicts)}`);
  if (record.base !== undefined) {
    const old = baseName(record.base);
    print(`\n${comparisonTable(compareRounds(record.samples, old, 'Nonstop'), old)}`);
  }
  print(`\n${colophon(record, file)}`);
}
