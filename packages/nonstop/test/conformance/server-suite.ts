import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os = require('node:os');
import path = require('node:path');
import { runNode } from './run-process.js';
import type { Suite, Verdict } from './verdict.js';

export type SuiteName = 'koa' | 'fastify' | 'hapi';

export interface ServerSuite {
  /** A checkout at a released tag, with its dependencies installed. */
  readonly folder: string;
  readonly name: SuiteName;
  readonly filter: string;
  readonly jobs: number;
}

interface Result {
  readonly title: string;
  readonly passed: boolean;
  readonly reason?: string;
}

interface Run {
  readonly root: string;
  readonly suite: ServerSuite;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the output of the run. */
  readonly work: string;
}

const TIMEOUT_MS = 900_000;
const PRELOAD = path.join(__dirname, 'preload-register.js');
const REPORTER = path.join(__dirname, 'node-test-reporter.js');

/** How each suite is started, with its own runner. The rest of its `npm test` (style, coverage, types) is left out. */
const runners: Readonly<Record<SuiteName, (run: Run) => Promise<Result[]>>> = {
  koa: (run) => byNodeTest(run, '__tests__'),
  fastify: (run) => byNodeTest(run, 'test'),
  hapi: byLab,
};

/**
 * Runs the suite of another framework as it is, and then with `nonstop/http/register` in each of its processes. The suite fails if
 * node:http answers a request on a server that the engine may serve, or if there are no requests.
 *
 * @returns the verdicts, and the number of requests by who answered them
 */
export async function serverSuite(suite: ServerSuite): Promise<Suite> {
  const work = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  try {
    const root = path.resolve(suite.folder);
    const run = runners[suite.name];
    const original = await run({ root, suite, work, env: {} });
    const tallies = path.join(work, 'tallies');
    const env = {
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --require ${JSON.stringify(PRELOAD)}`.trim(),
      CONFORMANCE_TALLY: tallies,
    };
    const ours = await run({ root, suite, work, env });
    const tally = await sumOf(tallies);
    return { verdicts: [...compare(original, ours), ...wrongDoor(tally)], notes: [told(tally)] };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

type Tally = Readonly<Record<string, number>>;

async function sumOf(file: string): Promise<Tally> {
  const total: Record<string, number> = {};
  for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)) {
    for (const [by, count] of Object.entries(JSON.parse(line) as Tally)) total[by] = (total[by] ?? 0) + count;
  }
  return total;
}

function told({ engine = 0, 'node:http': node = 0, ...left }: Tally): string {
  const others = Object.entries(left).map(
    ([reason, count]) => `, ${count} by node:http on servers left to it (${reason})`,
  );
  return `${engine} requests were answered by the engine, ${node} by node:http on servers of the engine${others.join('')}`;
}

/** Valid reasons for a server that is left to node; any other means that the preload has missed a server. */
const MAY_BE_LEFT = ['engine', 'message-classes', 'lenient-parser', 'listener-replaced', 'not-a-server'];

/** Adds a verdict if a request went through the wrong door, or if the engine answered no request. */
function wrongDoor(tally: Tally): Verdict[] {
  const name = 'every request on a server that may be taken over is answered by the engine';
  const whole = (tally['engine'] ?? 0) > 0 && Object.keys(tally).every((by) => MAY_BE_LEFT.includes(by));
  return whole ? [] : [{ name, original: 'pass', ours: 'fail', reason: told(tally) }];
}

/** By title. Equal titles, which tests made in loops often have, get numbers. */
function compare(original: readonly Result[], ours: readonly Result[]): Verdict[] {
  const passes = new Map<string, number>();
  const reasons = new Map<string, string>();
  for (const { title, passed, reason } of ours) {
    if (passed) passes.set(title, (passes.get(title) ?? 0) + 1);
    else reasons.set(title, (reason ?? 'it failed').split('\n')[0]);
  }
  return original.map(({ title, passed }) => {
    if (!passed) return { name: title, original: 'fail' };
    const left = passes.get(title) ?? 0;
    passes.set(title, left - 1);
    if (left > 0) return { name: title, original: 'pass', ours: 'pass' };
    return { name: title, original: 'pass', ours: 'fail', reason: reasons.get(title) ?? 'it did not run' };
  });
}

/** Suites on node's own test runner. */
async function byNodeTest({ root, suite, env }: Run, folder: string): Promise<Result[]> {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.m?js$/.test(name) && name.includes(suite.filter))
    .map((name) => path.join(folder, name))
    .sort();
  const args = ['--test', `--test-concurrency=${suite.jobs}`, `--test-reporter=${REPORTER}`, ...files];
  const { output } = await runNode({ args, cwd: root, env, timeoutMs: TIMEOUT_MS });
  // Other lines were written to stderr by the tests.
  const lines = output.split('\n').filter((line) => line.startsWith('{"title":"'));
  if (lines.length === 0) throw new Error(`no test ran in ${root}:\n${output.slice(-2_000)}`);
  return lines.map((line) => {
    const result = JSON.parse(line) as Result;
    return { ...result, title: result.title.replaceAll(`${root}${path.sep}`, '') };
  });
}

interface LabReport {
  readonly tests: Readonly<Record<string, readonly { readonly title: string; readonly err: unknown }[]>>;
}

/** The suite of Hapi, on its own runner, lab. */
async function byLab({ root, suite, env, work }: Run): Promise<Result[]> {
  const report = path.join(work, 'lab.json');
  await rm(report, { force: true });
  const bin = ['bin/lab', 'bin/lab.js'].map((name) => path.join('node_modules', '@hapi', 'lab', name));
  const files = readdirSync(path.join(root, 'test'))
    .filter((name) => name.endsWith('.js') && name.includes(suite.filter))
    .map((name) => path.join('test', name));
  const program = bin.find((name) => existsSync(path.join(root, name))) ?? bin[0];
  const options = ['-a', '@hapi/code', '-m', '5000', '-r', 'json', '-o', report];
  const { output } = await runNode({ args: [program, ...options, ...files], cwd: root, env, timeoutMs: TIMEOUT_MS });
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`lab gave no report in ${root}:\n${output.slice(-2_000)}`);
  });
  const { tests } = JSON.parse(text) as LabReport;
  return Object.entries(tests).flatMap(([group, each]) =>
    each.map(({ title, err }) => ({
      title: `${group} ${title}`,
      passed: err === false || err === undefined || err === null,
      reason: typeof err === 'object' ? JSON.stringify(err).slice(0, 200) : String(err),
    })),
  );
}
