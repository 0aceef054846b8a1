import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import type { Cores } from './cores.js';
import { isEngineOff, mustBeWithoutNonstop } from './environment.js';
import type { Generator } from './load.js';
import type { Failure, Sample, Settings } from './measure.js';
import { isPublished, labRoot, makeFolder, repoRoot } from './paths.js';

/** The members of every record about its run. */
export interface RunRecord {
  readonly kind: string;
  readonly started: string;
  readonly machine: Readonly<Record<string, string | number>>;
  /** Versions of the compared packages, and of the lab's Node. */
  readonly versions: Record<string, string>;
  /** Hash, with `-dirty` if the checkout differs from it; undefined outside a checkout. */
  readonly commit: string | undefined;
  /** After Ctrl-C or a wrong answer only the finished samples are here. */
  ended: 'running' | 'complete' | 'interrupted' | 'stopped';
  /** Notes for the reader: a replaced generator, a contestant left out. */
  readonly notes: string[];
}

/** The samples of a load, with everything that is needed to judge them. */
export interface BenchRecord extends RunRecord {
  readonly generator: Pick<Generator, 'name' | 'version'>;
  readonly cores: Cores;
  readonly settings: Settings;
  readonly samples: Sample[];
  readonly failures: Failure[];
  /** Figures that are not loads: memory of idle connections, start times, sizes. */
  readonly figures: FigureSample[];
}

/** One measurement of a figure that is not a load. */
export interface FigureSample {
  /** Name of the board's row. */
  readonly row: string;
  readonly contestant: string;
  readonly node: string;
  readonly figure: string;
  readonly unit: string;
  /** Counted from 0. */
  readonly round: number;
  readonly value: number;
}

export interface RunOptions {
  /** Aborts the run: finished samples are kept, saved and shown. */
  readonly signal: AbortSignal;
  /** Shows the progress; the next call may replace the text. */
  readonly progress: (row: string, step: string) => void;
  /** Folder of the record; `packages/lab/results` when left out. */
  readonly results?: string;
  /** Prints a line that stays. */
  readonly print: (text: string) => void;
  /** Width of the output of `print` in characters, if it is limited. */
  readonly width?: number;
}

/** Runs the work and records how it ended; samples finished before an error are kept. */
export async function recorded(
  record: RunRecord,
  { signal, print }: Pick<RunOptions, 'signal' | 'print'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
    record.ended = 'complete';
  } catch (error) {
    record.ended = signal.aborted ? 'interrupted' : 'stopped';
    if (!signal.aborted) print(error instanceof Error ? error.message : String(error));
  }
}

/** The lines below a table: the origin of the figures, notes, how the run ended. */
export function colophon(record: BenchRecord, file: string): string {
  return [
    ...record.notes,
    ...shortNote(record.settings),
    provenance(record),
    `÷ compares CPU time per request, lower is better. Samples: ${file}${ending[record.ended]}`,
  ].join('\n');
}

/** The line of a short run below its table. */
export const shortNote = ({ quick }: { readonly quick?: boolean }): string[] =>
  quick ? ['Taken in short: it shows that everything runs and answers alike, not how fast.'] : [];

/** How a run ended, to append to its last line. */
export const ending = {
  running: '',
  complete: '',
  interrupted: '\nInterrupted: the table holds the samples that were finished.',
  stopped: '\nStopped before the end.',
} as const;

/**
 * A record of this machine and moment, without samples.
 *
 * @param folder where it is to be saved
 * @throws {Error} in one line, if the folder is not writable: before an hour of samples, not after it
 */
export function newRecord(
  kind: string,
  setup: Pick<BenchRecord, 'generator' | 'cores' | 'settings'>,
  folder?: string,
): BenchRecord {
  const { generator, cores, settings } = setup;
  const { name, version } = generator;
  const run = newRun(kind, folder);
  return { ...run, generator: { name, version }, cores, settings, samples: [], failures: [], figures: [] };
}

/**
 * The head of a record that is not of a load.
 *
 * @param folder where it is to be saved
 * @throws {Error} as `newRecord`, and if the environment loads Nonstop into each contestant
 */
export function newRun(kind: string, folder: string = usualFolder): RunRecord {
  mustBeWithoutNonstop();
  mustBeWritable(folder);
  return {
    kind,
    started: new Date().toISOString(),
    machine: thisMachine(),
    versions: { nonstop: versionOf('nonstop'), express: versionOf('express'), lab: process.version },
    commit: currentCommit(),
    ended: 'running',
    notes: isEngineOff() ? ['NONSTOP_ENGINE=node: the engine is switched off, node:http serves Nonstop.'] : [],
  };
}

/** The machine, as records name it. */
function thisMachine(): RunRecord['machine'] {
  const [processor] = os.cpus();
  return {
    processor: processor?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    architecture: os.arch(),
  };
}

const usualFolder = path.join(labRoot, 'results');

/**
 * Why records cannot be written to a folder, which need not exist yet. Nothing is created.
 *
 * @returns undefined if they can be
 */
export function whyNotWritable(folder: string = usualFolder): string | undefined {
  // The folder itself, or the nearest one above it that exists.
  let place = folder;
  while (!fs.existsSync(place) && place !== path.dirname(place)) place = path.dirname(place);
  try {
    if (!fs.statSync(place).isDirectory()) return 'not a folder';
    fs.accessSync(place, fs.constants.W_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** @throws {Error} in one line, if records cannot be written to a folder, which need not exist yet */
export function mustTakeRecords(folder: string = usualFolder): void {
  const problem = whyNotWritable(folder);
  if (problem !== undefined) throw new Error(`Results cannot be written to ${folder} (${problem})`);
}

function mustBeWritable(folder: string): void {
  try {
    makeFolder(folder);
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw new Error(`Results cannot be written to ${folder} (${codeOf(error)})`, { cause: error });
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/**
 * Writes a record below `packages/lab/results/`. The file is replaced as a whole, so that an interrupted write leaves the
 * last version.
 *
 * @returns the file's path
 */
export function save(record: RunRecord, folder: string = usualFolder): string {
  makeFolder(folder);
  const file = path.join(folder, `${record.started.replaceAll(':', '-')}-${record.kind}.json`);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(record, undefined, 2)}\n`);
  fs.renameSync(`${file}.new`, file);
  return file;
}

/** A note on a sample some of whose requests had no answer. */
const overloaded = ({ contestant, connections, round = 0, requests, unanswered = 0 }: Partial<Sample>): string[] =>
  unanswered === 0
    ? []
    : [
        `${contestant}, ${connections} connections, round ${round + 1}: ${unanswered} requests without an answer in time beside ${requests} with one.`,
      ];

/**
 * Saves a record at the end of its run, with notes on its samples. If the disk is full by then, the record is lost, but not the table.
 *
 * @returns the file's path, or the reason why there is none; the record is then not complete
 */
export function saveLast(
  record: RunRecord &
    Partial<Record<'figures' | 'failures', readonly unknown[]>> & { readonly samples?: readonly Partial<Sample>[] },
  folder?: string,
): string {
  const { ended, samples = [], figures = [], failures = [] } = record;
  record.notes.push(...samples.flatMap(overloaded));
  // A run that ended before its first sample is not saved.
  if (ended !== 'complete' && samples.length + figures.length + failures.length === 0) return 'none';
  try {
    return save(record, folder);
  } catch (error) {
    if (record.ended === 'complete') record.ended = 'stopped';
    return `not kept (${codeOf(error)})`;
  }
}

/** One line about the origin of the figures, for above a table. */
function provenance(record: BenchRecord): string {
  const { generator, cores, settings } = record;
  const levels = new Set([settings.connections, ...record.samples.map(({ connections }) => connections)]);
  const held =
    cores.server === undefined
      ? 'not pinned to cores'
      : `server on core ${cores.server}, generator on core ${cores.generator}`;
  return [
    ...origin(record),
    `${generator.name} ${generator.version}, ${[...levels].join(', ')} connections, ${held}`,
    `${roundsOf(record)} of ${lengthOf(settings)}${settings.together ? ' with all contestants at once' : ''}`,
    ...(settings.liveHeap === undefined ? [] : [`each server keeps ${settings.liveHeap} MB of other objects`]),
  ].join('; ');
}

/** The rounds of which the figures are medians: those that were taken, which are fewer after an early end. */
function roundsOf(record: BenchRecord): string {
  const { rounds: planned, mostRounds = planned, together } = record.settings;
  const taken = takenRounds(record);
  const [fewest, most] = taken.length === 0 ? [planned, planned] : [Math.min(...taken), Math.max(...taken)];
  const range = fewest === most ? String(most) : `${fewest} to ${most}`;
  const words = most === 1 ? 'one round' : `median of ${range} ${together ? '' : 'alternating '}rounds`;
  const asked = mostRounds > planned ? `${planned} to ${mostRounds}` : planned;
  return fewest >= planned ? words : `${words} (${asked} were planned)`;
}

/** How many rounds each contestant had in each load, or else of each figure that is taken in rounds. */
function takenRounds({ samples, figures, settings }: BenchRecord): number[] {
  const loads = samples.map((one) => [one.scenario, one.contestant, one.node, one.connections]);
  const others = figures
    .filter(({ figure }) => figure !== 'size' && figure !== 'packages')
    .map((one) => [one.row, one.contestant, one.node, one.figure]);
  const counts = new Map<string, number>();
  for (const identity of loads.length > 0 ? loads : others) {
    const key = JSON.stringify(identity);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // A start of a process is measured several times in a round.
  const most = Math.max(settings.rounds, settings.mostRounds ?? 0, 1);
  return [...counts.values()].map((count) => Math.min(count, most));
}

/** Machine and day of a run, and its commit inside a checkout. */
export function origin({ machine, started, commit }: RunRecord): string[] {
  const where = `${machine['processor']}, ${machine['cores']} cores, ${machine['system']}, ${started.slice(0, 10)}`;
  if (commit === undefined) return [where];
  return [where, `commit ${commit.slice(0, 12)}${commit.endsWith('-dirty') ? ' (changed)' : ''}`];
}

const lengthOf = ({ requests, seconds }: Settings): string =>
  requests === undefined ? `${seconds} s` : `${requests.toLocaleString('en')} requests`;

/** The version of a package that is installed here. */
export function versionOf(name: string): string {
  const places = require.resolve.paths(name) ?? [];
  const manifest = places.map((place) => path.join(place, name, 'package.json')).find((file) => fs.existsSync(file));
  if (manifest === undefined) return 'not installed';
  return (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function currentCommit(): string | undefined {
  if (isPublished) return undefined;
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: repoRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const dirty = git('status', '--porcelain', '--untracked-files=no') !== '';
    return git('rev-parse', 'HEAD') + (dirty ? '-dirty' : '');
  } catch {
    return undefined;
  }
}
