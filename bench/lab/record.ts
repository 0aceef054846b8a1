import { execFileSync } from 'node:child_process';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import type { Cores } from './cores.js';
import type { Generator } from './load.js';
import type { Failure, Sample, Settings } from './measure.js';
import { benchRoot, repoRoot } from './paths.js';

/** Everything that somebody needs to judge the samples, and the samples themselves. */
export interface BenchRecord {
  readonly kind: string;
  readonly started: string;
  readonly machine: Readonly<Record<string, string | number>>;
  /** Of the packages that are compared, and of the lab's Node. */
  readonly versions: Readonly<Record<string, string>>;
  /** Hash, with `-dirty` when the checkout differs from it; undefined outside of a checkout. */
  readonly commit: string | undefined;
  readonly generator: Pick<Generator, 'name' | 'version'>;
  readonly cores: Cores;
  readonly settings: Settings;
  /** Ctrl-C, or a wrong answer: the samples that were finished are here, the others are not. */
  ended: 'running' | 'complete' | 'interrupted' | 'stopped';
  readonly samples: Sample[];
  readonly failures: Failure[];
  /** What is not a load: memory of idle connections, times of starts, sizes. */
  readonly figures: FigureSample[];
  /** What the reader has to know beside the numbers: a generator that stood in for another, a contestant left out. */
  readonly notes: string[];
}

/** One taking of a figure that is not of a load. */
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
  /** Ends the run: finished samples are kept, saved and shown. */
  readonly signal: AbortSignal;
  /** Shows where the run is; the next call may take the place of this one. */
  readonly progress: (row: string, step: string) => void;
  /** Folder of the record; `bench/results` when left out. */
  readonly results?: string;
  /** Prints what stays. */
  readonly print: (text: string) => void;
}

/** Does the work of a run and notes in the record how it ended; what was finished before an error is kept. */
export async function recorded(
  record: BenchRecord,
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

/** What has to stand below a table: where the numbers come from, what is special about them, how the run ended. */
export function colophon(record: BenchRecord, file: string): string {
  return [
    ...record.notes,
    provenance(record),
    `÷ compares CPU time per request, lower is better. Samples: ${file}${ending[record.ended]}`,
  ].join('\n');
}

const ending = {
  running: '',
  complete: '',
  interrupted: '\nInterrupted: the table holds the samples that were finished.',
  stopped: '\nStopped before the end.',
} as const;

/** A record of this machine and moment, without samples. */
export function newRecord(kind: string, setup: Pick<BenchRecord, 'generator' | 'cores' | 'settings'>): BenchRecord {
  const { generator, cores, settings } = setup;
  const [processor] = os.cpus();
  return {
    kind,
    started: new Date().toISOString(),
    machine: {
      processor: processor?.model.trim() ?? 'unknown',
      cores: os.availableParallelism(),
      memoryGiB: Math.round(os.totalmem() / 2 ** 30),
      system: `${os.type()} ${os.release()}`,
      architecture: os.arch(),
    },
    versions: { nonstop: versionOf('nonstop'), express: versionOf('express'), lab: process.version },
    commit: currentCommit(),
    generator: { name: generator.name, version: generator.version },
    cores,
    settings,
    ended: 'running',
    samples: [],
    failures: [],
    figures: [],
    notes: [],
  };
}

/**
 * Writes a record below `bench/results/`. The file is replaced whole, so that a run which is cut off leaves the last one.
 *
 * @returns the file's path
 */
export function save(record: BenchRecord, folder: string = path.join(benchRoot, 'results')): string {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${record.started.replaceAll(':', '-')}-${record.kind}.json`);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(record, undefined, 2)}\n`);
  fs.renameSync(`${file}.new`, file);
  return file;
}

/** One line about where the numbers come from, to stand above a table. */
export function provenance(record: BenchRecord): string {
  const { machine, generator, cores, started, commit, settings } = record;
  const levels = new Set([settings.connections, ...record.samples.map(({ connections }) => connections)]);
  const held =
    cores.server === undefined
      ? 'not pinned to cores'
      : `server on core ${cores.server}, generator on core ${cores.generator}`;
  return [
    `${machine['processor']}, ${machine['cores']} cores, ${machine['system']}, ${started.slice(0, 10)}`,
    `commit ${commit?.slice(0, 12) ?? 'unknown'}${commit?.endsWith('-dirty') ? ' (changed)' : ''}`,
    `${generator.name} ${generator.version}, ${[...levels].join(', ')} connections, ${held}`,
    `median of ${settings.rounds} alternating rounds of ${lengthOf(settings)}`,
  ].join('; ');
}

const lengthOf = ({ requests, seconds }: Settings): string =>
  requests === undefined ? `${seconds} s` : `${requests.toLocaleString('en')} requests`;

function versionOf(name: string): string {
  const manifest = path.join(repoRoot, 'node_modules', name, 'package.json');
  return (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function currentCommit(): string | undefined {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: repoRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const dirty = git('status', '--porcelain', '--untracked-files=no') !== '';
    return git('rev-parse', 'HEAD') + (dirty ? '-dirty' : '');
  } catch {
    return undefined;
  }
}
