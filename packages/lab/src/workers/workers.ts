import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os = require('node:os');
import path = require('node:path');
import { ask } from '../ask.js';
import { preferred } from '../generators.js';
import type { Generator, LoadPlan } from '../load.js';
import { WrongAnswer, type Bench, type Settings } from '../measure.js';
import { labRoot } from '../paths.js';
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
import { loadScenario } from '../scenario.js';
import { rotated } from '../stats.js';
import { textTable } from '../text-table.js';
import { differences } from '../verify.js';
import { childrenOf, processTime } from './process-time.js';
import { workerCells } from './table.js';

export interface WorkersOptions extends Settings, RunOptions {
  readonly nodes: readonly Bench['node'][];
  /** The maximum number of workers. Default: one for each core. */
  readonly most?: number;
  /** `wrk` where it is installed, and `autocannon` elsewhere, when left out. */
  readonly generator?: Generator;
}

/** One load on the command with this number of workers. */
export interface WorkersSample {
  readonly node: string;
  /** 0 is the command without a supervisor. */
  readonly workers: number;
  readonly round: number;
  readonly requests: number;
  readonly seconds: number;
  /** Microseconds of processor of each process that serves. */
  readonly serving: readonly number[];
  /** Microseconds of processor of the supervisor. */
  readonly supervisor: number;
}

export interface WorkersRecord extends RunRecord {
  readonly settings: Settings;
  readonly samples: WorkersSample[];
}

/**
 * Measures hello world under `nonstop --workers 1` to one for each core: requests per second, and the CPU time of a request by process.
 *
 * @returns the record; `ended` says whether the run is complete
 * @throws {Error} without /proc, which has the time of other processes
 */
export async function workers(options: WorkersOptions): Promise<WorkersRecord> {
  if (process.platform !== 'linux')
    throw new Error('The time of other processes is read from /proc, which only Linux has.');
  const { rounds, seconds, warmup, connections, settled, quick, print } = options;
  const choice = options.generator === undefined ? preferred('wrk') : { generator: options.generator };
  const settings = { rounds, seconds, warmup, connections, settled, quick };
  const record: WorkersRecord = { ...newRun('workers', options.results), settings, samples: [] };
  if (choice.note !== undefined) record.notes.push(choice.note);
  const most = options.most ?? os.availableParallelism();
  const counts = Array.from({ length: most + 1 }, (_, count) => count);
  await recorded(record, options, async () => {
    for (const node of options.nodes) {
      for (let round = 0; round < rounds; round++) {
        for (const count of rotated(counts, round)) {
          options.progress(`Node ${node.version}, ${count} workers`, `round ${round + 1} of ${rounds}`);
          const taken = await take(count, { node, options, generator: choice.generator });
          record.samples.push({ node: node.version, workers: count, round, ...taken });
        }
        save(record, options.results);
      }
    }
  });
  const file = saveLast(record, options.results);
  for (const { version } of options.nodes) {
    const samples = record.samples.filter(({ node }) => node === version);
    if (samples.length > 0) print(`\nNode ${version}\n${textTable(workerCells(samples), 2)}`);
  }
  const where = `The generator and all processes share the ${os.availableParallelism()} cores.`;
  const notes = [...record.notes, ...shortNote(settings), where, ...origin(record)];
  print(`\n${notes.join('\n')}\nSamples: ${file}${ending[record.ended]}`);
  return record;
}

interface Place {
  readonly node: Bench['node'];
  readonly options: WorkersOptions;
  readonly generator: Generator;
}

async function take(
  count: number,
  { node, options, generator }: Place,
): Promise<Pick<WorkersSample, 'requests' | 'seconds' | 'serving' | 'supervisor'>> {
  const bin = require.resolve('nonstop/package.json').replace('package.json', path.join('dist', 'entry', 'bin.js'));
  const app = path.join(labRoot, 'peers', 'for-the-command.js');
  const args = [bin, '--host', '127.0.0.1', '--port', '0', '--workers', String(count), app];
  const child = spawn(node.path, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  try {
    const port = await readyOn(child);
    const plan: LoadPlan = {
      port,
      request: loadScenario('hello').request,
      connections: options.connections,
      seconds: options.seconds,
    };
    await compareAnswers(count, plan);
    await generator.run({ ...plan, seconds: options.warmup }, options.signal);
    const pids = count === 0 ? [child.pid!] : childrenOf(child.pid!);
    const times = (): number[] => [child.pid!, ...pids].map(processTime);
    const before = times();
    const { requests, seconds, errors } = await generator.run(plan, options.signal);
    const used = times().map((time, i) => time - before[i]);
    if (Object.keys(errors).length > 0) throw new Error(`${count} workers: ${JSON.stringify(errors)}`);
    return { requests, seconds, serving: used.slice(1), supervisor: count === 0 ? 0 : used[0] };
  } finally {
    await ended(child);
  }
}

/**
 * Compares the answers of as many connections as there are processes, which get them in turn.
 *
 * @throws {WrongAnswer} with the differences
 */
async function compareAnswers(count: number, { port, request }: LoadPlan): Promise<void> {
  const { expected } = loadScenario('hello');
  for (let asked = 0; asked < Math.max(1, count); asked++) {
    const wrong = differences(await ask(port, request), expected!);
    if (wrong.length > 0) throw new WrongAnswer(`wrong answer under ${count} workers\n${wrong.join('\n')}`);
  }
}

/** @returns the port */
function readyOn(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, port] = /ready on http:\/\/\S+:(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('close', () => reject(new Error(`the command ended: ${said}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGINT');
  // The load's connections are closed, so there is nothing to wait for.
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(late);
}
