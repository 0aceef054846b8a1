import { autocannon } from './autocannon.js';
import { findCores } from './cores.js';
import type { Generator } from './load.js';
import { measure, WrongAnswer, type Settings } from './measure.js';
import { newRecord, provenance, save, type BenchRecord } from './record.js';
import { loadScenario } from './scenario.js';
import { summarise } from './summary.js';
import { table } from './table.js';
import { findWrk } from './wrk.js';

export interface HeadToHeadOptions extends Settings {
  /** Names of scenarios. */
  readonly rows: readonly string[];
  readonly nodes: readonly { readonly version: string; readonly path: string }[];
  /** By name or itself; `wrk` where it is installed and `autocannon` elsewhere when left out. */
  readonly generator?: 'wrk' | 'autocannon' | Generator;
  /** Ends the run: finished samples are kept, saved and shown. */
  readonly signal: AbortSignal;
  /** Shows where the run is; the next call may take the place of this one. */
  readonly progress: (row: string, step: string) => void;
  /** Folder of the record; `bench/results` when left out. */
  readonly results?: string;
  /** Prints what stays. */
  readonly print: (text: string) => void;
}

/**
 * Compares the contestants of each row on each Node, then prints the table and saves the record.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} when a scenario is not known or the generator that was asked for is not there
 */
export async function headToHead(options: HeadToHeadOptions): Promise<BenchRecord> {
  const { rows, nodes, signal, print } = options;
  const { rounds, seconds, warmup, connections } = options;
  const scenarios = rows.map(loadScenario);
  const generator = chooseGenerator(options.generator);
  const cores = findCores();
  const record = newRecord('head-to-head', { generator, cores, settings: { rounds, seconds, warmup, connections } });
  try {
    for (const node of nodes) {
      for (const [index, scenario] of scenarios.entries()) {
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
    record.ended = 'complete';
  } catch (error) {
    record.ended = signal.aborted ? 'interrupted' : 'stopped';
    if (!signal.aborted) print(error instanceof WrongAnswer ? error.message : String(error));
  }
  conclude(record, options);
  return record;
}

function chooseGenerator(wanted: HeadToHeadOptions['generator']): Generator {
  if (typeof wanted === 'object') return wanted;
  const wrk = wanted === 'autocannon' ? undefined : findWrk();
  if (wanted === 'wrk' && wrk === undefined) throw new Error('wrk is not installed');
  return wrk ?? autocannon;
}

function conclude(record: BenchRecord, { print, results }: HeadToHeadOptions): void {
  const file = save(record, results);
  const rows = summarise(record.samples);
  if (rows.length > 0 || record.failures.length > 0) print(`\n${table(rows, record.failures)}`);
  if (rows.some(({ busy }) => busy < 0.9)) {
    print(
      '\nWhere the server was busy below 90 % the generator, or something else on this machine, was the limit: go by the CPU time.',
    );
  }
  print(`\n${provenance(record)}`);
  print(`÷ compares CPU time per request, lower is better. Samples: ${file}${ending[record.ended]}`);
}

const ending = {
  running: '',
  complete: '',
  interrupted: '\nInterrupted: the table holds the samples that were finished.',
  stopped: '\nStopped before the end.',
} as const;
