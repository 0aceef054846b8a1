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
}

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
export function provenance({ machine, generator, cores, started, commit, settings }: BenchRecord): string {
  const held =
    cores.server === undefined
      ? 'not pinned to cores'
      : `server on core ${cores.server}, generator on core ${cores.generator}`;
  return [
    `${machine['processor']}, ${machine['cores']} cores, ${machine['system']}, ${started.slice(0, 10)}`,
    `commit ${commit?.slice(0, 12) ?? 'unknown'}${commit?.endsWith('-dirty') ? ' (changed)' : ''}`,
    `${generator.name} ${generator.version}, ${settings.connections} connections, ${held}`,
    `median of ${settings.rounds} alternating rounds of ${settings.seconds} s`,
  ].join('; ');
}

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
