import { findCores } from '../cores.js';
import { preferred, required, type Choice } from '../generators.js';
import type { Generator } from '../load.js';
import { measure, type Bench } from '../measure.js';
import { colophon, newRecord, recorded, save, saveLast, type BenchRecord, type RunOptions } from '../record.js';
import { loadScenario } from '../scenario.js';
import { summarise } from '../summary.js';
import { table } from '../table.js';
import { compareWithPublished, comparisonTable, type Compared } from './comparison.js';
import { admit } from './admission.js';
import { bringsBun, findBun } from './bun.js';
import { chooseContestants } from './contestants.js';
import type { Study, StudySettings } from './studies.js';

export interface StudyOptions extends RunOptions {
  readonly nodes: readonly Bench['node'][];
  /** Its `quick` settings instead of the published ones. */
  readonly quick?: boolean;
  /** Settings that override these. */
  readonly change?: Partial<StudySettings>;
  /** Names of contestants; all when left out. */
  readonly contestants?: readonly string[];
  /** A name or a generator. Default: the study's own, or autocannon if that is missing. */
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
 * Repeats a published study: every level of connections, every contestant; then prints the table and published beside
 * measured results.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} when a contestant is not known or the generator that was asked for is not there
 */
export async function runStudy(study: Study, options: StudyOptions): Promise<StudyRecord> {
  const chosen = chooseContestants(study, options.contestants);
  const choice = chooseGenerator(study, options.generator);
  const { connections: levels, ...each } = { ...(options.quick ? study.quick : study.settings), ...options.change };
  const settings = { ...each, connections: levels[0], quick: options.quick || undefined };
  const setup = { generator: choice.generator, cores: findCores(), settings };
  const fresh = newRecord(`study-${study.name}`, setup, options.results);
  const bun = bunFor(chosen, options.contestants);
  const record: StudyRecord = {
    ...fresh,
    versions: { ...fresh.versions, ...(bun && { bun: bun.version }) },
    study: study.name,
    publishedGenerator: study.generator,
    levels,
    compared: [],
  };
  if (choice.note !== undefined) record.notes.push(choice.note);
  const onBun = namesOnBun(chosen);
  if (onBun.length > 0)
    record.notes.push(
      bun ? `${onBun.join(' and ')}: Bun ${bun.version}.` : `Without ${onBun.join(' and ')}: ${bringsBun}.`,
    );
  options.print(study.title);
  await recorded(record, options, async () => {
    for (const node of options.nodes) {
      const peers = await admit(chosen, { record, node, bun, options });
      const scenario = { ...loadScenario(study.scenario), peers };
      for (const connections of levels) {
        const place = `Node ${node.version}, ${study.name}, ${connections} connection${connections === 1 ? '' : 's'}`;
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

type Chosen = ReturnType<typeof chooseContestants>;

const namesOnBun = (chosen: Chosen): string[] => Object.keys(chosen).filter((name) => chosen[name].onBun);

/** Bun, if a contestant needs it. Without it these contestants are left out, unless they were named. */
function bunFor(chosen: Chosen, asked: StudyOptions['contestants']): ReturnType<typeof findBun> {
  const wanted = namesOnBun(chosen);
  const bun = wanted.length === 0 ? undefined : findBun();
  const needed = wanted.find((name) => asked?.includes(name));
  if (needed !== undefined && bun === undefined) throw new Error(`${needed} runs on Bun; ${bringsBun}`);
  return bun;
}

function conclude(study: Study, record: StudyRecord, { print, results, width }: StudyOptions): void {
  const rows = summarise(record.samples);
  record.compared.push(...compareWithPublished(study, rows));
  const file = saveLast(record, results);
  if (rows.length > 0 || record.failures.length > 0) print(`\n${table(rows, record.failures, width)}`);
  if (record.compared.length > 0) print(`\n${comparisonTable(record.compared)}`);
  print(`\n${colophon(record, file)}`);
}
