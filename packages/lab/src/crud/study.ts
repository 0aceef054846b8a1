import { findCores, type Cores } from '../cores.js';
import type { Bench, Failure } from '../measure.js';
import {
  ending,
  newRun,
  origin,
  recorded,
  save,
  saveLast,
  shortNote,
  type RunOptions,
  type RunRecord,
} from '../record.js';
import { chooseContestants, versionsOf, type CrudContestant } from './contestants.js';
import { publishedRepetitions } from './coordinator.js';
import type { Database } from './database.js';
import type { CpuSample, CrudSample } from './sample.js';
import { openStage, startAll, stopAll } from './stage.js';
import { compareCrud, summariseCpu, summariseCrud, type ComparedCrud } from './summary.js';
import { comparedTable, cpuTable, crudTable, failureLines } from './table.js';
import { take, type CrudSettings } from './take.js';

export interface CrudOptions extends RunOptions {
  readonly nodes: readonly Bench['node'][];
  /** A few repetitions, to check that everything works. */
  readonly quick?: boolean;
  /** As published when left out. */
  readonly repetitions?: number;
  /** Names; all when left out. */
  readonly contestants?: readonly string[];
  /** Address of a database. Default: MONGODB_URL, or else a database that is started here. */
  readonly url?: string;
}

export interface CrudRecord extends RunRecord {
  readonly study: 'crud';
  /** The name of the database. */
  readonly database: string;
  readonly cores: Cores;
  readonly settings: CrudSettings;
  readonly samples: CrudSample[];
  /** Of the servers' processes. */
  readonly cpu: CpuSample[];
  readonly failures: Failure[];
  readonly compared: ComparedCrud[];
}

const title =
  '"REST API performance comparison …" (Grudniak, Dzieńkowski 2021): four verbs on four shapes of a record, over a database';

/** Interval between writes of the growing record, in milliseconds. */
const saving = 10_000;

/**
 * Repeats the published study: every shape, verb and contestant; then prints the tables with the published results.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} in one line, before anything is written: unknown contestant or no database
 */
export async function runCrud(options: CrudOptions): Promise<CrudRecord> {
  const { nodes, signal, progress, print, results, url } = options;
  const contestants = chooseContestants(options.contestants);
  const run = newRun('study-crud', results);
  const cores = findCores();
  const database = await openStage({ cores, signal, url, progress: (step) => progress('crud', step) });
  try {
    print(title);
    const record: CrudRecord = {
      ...run,
      versions: { ...run.versions, ...versionsOf(contestants) },
      study: 'crud',
      database: database.label,
      cores,
      settings: settingsOf(options),
      samples: [],
      cpu: [],
      failures: [],
      compared: [],
    };
    await recorded(record, options, async () => {
      for (const node of nodes) await onNode({ record, node, contestants, database }, options);
    });
    conclude(record, database, options);
    return record;
  } finally {
    await database.close();
  }
}

function settingsOf({ quick = false, repetitions }: CrudOptions): CrudSettings {
  const usual = quick ? { repetitions: 2, warmup: 1 } : { repetitions: publishedRepetitions, warmup: 5 };
  return { ...usual, repetitions: repetitions ?? usual.repetitions, quick: quick || undefined };
}

interface Part {
  readonly record: CrudRecord;
  readonly node: Bench['node'];
  readonly contestants: Readonly<Record<string, CrudContestant>>;
  readonly database: Database;
}

async function onNode({ record, node, contestants, database }: Part, options: CrudOptions): Promise<void> {
  const { signal, results } = options;
  const onFailure = (failure: Failure): unknown => record.failures.push(failure);
  const cast = { contestants, node, database, core: record.cores.server, signal };
  const peers = await startAll(cast, (contestant, error) => {
    const problem = error instanceof Error ? error.message : String(error);
    onFailure({ scenario: record.study, contestant, node: node.version, problem });
  });
  let saved = performance.now();
  try {
    await take({
      node: node.version,
      peers,
      database,
      settings: record.settings,
      signal,
      progress: (step) => options.progress(`Node ${node.version}, crud`, step),
      onSample: (sample) => record.samples.push(sample),
      onCpu: (sample) => record.cpu.push(sample),
      onFailure,
      onRepetition() {
        if (performance.now() - saved < saving) return;
        save(record, results);
        saved = performance.now();
      },
    });
  } finally {
    await stopAll(peers);
  }
}

function conclude(record: CrudRecord, database: Database, { print, results }: CrudOptions): void {
  record.compared.push(...compareCrud(record.samples));
  const file = saveLast(record, results);
  const { samples, cpu, compared, failures } = record;
  if (samples.length > 0) print(`\n${crudTable(summariseCrud(samples))}\n\n${cpuTable(summariseCpu(cpu))}`);
  if (compared.length > 0) print(`\n${comparedTable(compared)}\nPer cent less time, ± two standard errors.`);
  if (failures.length > 0) print(`\n${failureLines(failures)}`);
  print(`\n${colophon(record, database, file)}`);
}

function colophon(record: CrudRecord, { own }: Database, file: string): string {
  const { repetitions, warmup } = record.settings;
  const { server, others } = record.cores;
  const held = server === undefined ? 'not pinned to cores' : `servers on core ${server}`;
  const facts = [
    ...origin(record),
    `database ${record.database}`,
    'client in this process, one connection to each',
    own && server !== undefined ? `${held}, database on ${others}` : held,
    `mean ± standard deviation of ${repetitions} repetitions (${warmup} before them do not count)`,
  ];
  return [
    ...record.notes,
    ...shortNote(record.settings),
    facts.join('; '),
    `Samples: ${file}${ending[record.ended]}`,
  ].join('\n');
}
