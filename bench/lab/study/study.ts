import { findCores } from '../cores.js';
import { preferred, required, type Choice } from '../generators.js';
import type { Generator } from '../load.js';
import { measure, type Bench } from '../measure.js';
import { colophon, newRecord, recorded, save, type BenchRecord, type RunOptions } from '../record.js';
import { loadScenario, type PeerSource } from '../scenario.js';
import { summarise } from '../summary.js';
import { table } from '../table.js';
import { compareWithPublished, comparisonTable, type Compared } from './comparison.js';
import { chooseContestants, obstacle } from './contestants.js';
import { install, isInstalled } from './on-demand.js';
import type { Study, StudySettings } from './studies.js';

export interface StudyOptions extends RunOptions {
  readonly nodes: readonly Bench['node'][];
  /** Its `quick` settings instead of the published ones. */
  readonly quick?: boolean;
  /** What is to be other than that. */
  readonly change?: Partial<StudySettings>;
  /** Names of contestants; all when left out. */
  readonly contestants?: readonly string[];
  /** By name or itself; the study's own when left out, and autocannon where that is missing. */
  readonly generator?: string | Generator;
}

export interface StudyRecord extends BenchRecord {
  readonly study: string;
  /** The generator that the study was published with. */
  readonly publishedGenerator: string;
  readonly levels: readonly number[];
  readonly compared: Compared[];
}

/**
 * Does a published study again: every level of connections, every contestant, then the table, with what was published
 * beside what was measured.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} when a contestant is not known or the generator that was asked for is not there
 */
export async function runStudy(study: Study, options: StudyOptions): Promise<StudyRecord> {
  const chosen = chooseContestants(study, options.contestants);
  const choice = chooseGenerator(study, options.generator);
  const { connections: levels, ...each } = { ...(options.quick ? study.quick : study.settings), ...options.change };
  const settings = { ...each, connections: levels[0] };
  const setup = { generator: choice.generator, cores: findCores(), settings };
  const record: StudyRecord = {
    ...newRecord(`study-${study.name}`, setup),
    study: study.name,
    publishedGenerator: study.generator,
    levels,
    compared: [],
  };
  if (choice.note !== undefined) record.notes.push(choice.note);
  options.print(study.title);
  await recorded(record, options, async () => {
    for (const node of options.nodes) {
      const peers = await admitted(chosen, { record, node, options });
      const scenario = { ...loadScenario(study.scenario), peers };
      for (const connections of levels) {
        const place = `Node ${node.version}, ${study.name}, ${connections} connections`;
        const bench = { settings: { ...settings, connections }, ...choice, cores: record.cores, node };
        await measure(scenario, {
          ...bench,
          signal: options.signal,
          progress: (step) => options.progress(place, step),
          onSample: (sample) => record.samples.push(sample),
          onFailure: (failure) => record.failures.push(failure),
        });
        save(record, options.results);
      }
    }
  });
  conclude(study, record, options);
  return record;
}

function chooseGenerator(study: Study, wanted: StudyOptions['generator']): Choice {
  if (typeof wanted === 'object') return { generator: wanted };
  return wanted === undefined ? preferred(study.generator) : { generator: required(wanted) };
}

/** The contestants that can run on a Node, installed; the others are told. */
async function admitted(
  chosen: ReturnType<typeof chooseContestants>,
  { record, node, options }: { record: StudyRecord; node: Bench['node']; options: StudyOptions },
): Promise<Record<string, PeerSource>> {
  const peers: Record<string, PeerSource> = {};
  for (const [name, contestant] of Object.entries(chosen)) {
    const reason = obstacle(contestant, node);
    if (reason !== undefined) {
      record.notes.push(`${name} is not there on Node ${node.version}: ${reason}.`);
      continue;
    }
    const { onDemand } = contestant;
    try {
      if (onDemand !== undefined && !isInstalled(onDemand.spec)) {
        options.progress(`installing ${onDemand.spec} (${onDemand.reason})`, '');
        await install(onDemand.spec, options.signal);
      }
      peers[name] = contestant;
    } catch (error) {
      options.signal.throwIfAborted();
      const problem = error instanceof Error ? error.message : String(error);
      record.failures.push({ scenario: record.study, contestant: name, node: node.version, problem });
    }
  }
  return peers;
}

function conclude(study: Study, record: StudyRecord, { print, results }: StudyOptions): void {
  const rows = summarise(record.samples);
  record.compared.push(...compareWithPublished(study, rows));
  const file = save(record, results);
  if (rows.length > 0 || record.failures.length > 0) print(`\n${table(rows, record.failures)}`);
  if (record.compared.length > 0) print(`\n${comparisonTable(record.compared)}`);
  print(`\n${colophon(record, file)}`);
}
