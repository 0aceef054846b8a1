import { existsSync } from 'node:fs';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import os = require('node:os');
import path = require('node:path');
import { runNode } from './run-process.js';
import type { By } from '../support/served.js';
import { subject } from '../support/subject.js';
import { tallied, told, type Tally } from './tally.js';
import type { Suite, Verdict } from './verdict.js';

export interface MochaSuite {
  /** A checkout with its dependencies (and mocha) installed. */
  readonly folder: string;
  readonly name: 'express' | 'express4' | 'router';
  readonly filter: string;
}

interface Result {
  readonly fullTitle: string;
  readonly err: { readonly message?: string };
}

export interface Report {
  readonly passes: readonly Result[];
  readonly failures: readonly Result[];
}

type Env = Readonly<Record<string, string>>;

const TIMEOUT_MS = 300_000;
const MAIN = path.join(__dirname, 'mocha-main.js');
const preload = (name: string): string => path.join(__dirname, `preload-${name}.js`);
/**
 * The two doors of Nonstop. The suites create servers with `http.createServer(app)` and send one request to each. Without
 * the preload node:http would serve that request, because the first request of a user's own server is node's.
 */
const DOORS: Readonly<Record<By, { readonly env: Env; readonly preloads: readonly string[] }>> = {
  engine: { env: {}, preloads: [preload('alias'), preload('engine')] },
  'node:http': { env: { NONSTOP_ENGINE: 'node' }, preloads: [preload('alias'), preload('tally')] },
};
/** The file that replaces the package's entry. */
const ENTRIES = {
  express: path.join(subject, 'index.js'),
  express4: path.join(subject, 'v4.js'),
  router: path.join(__dirname, 'router-entry.js'),
} as const;

/** Runs the suite on its own package, and then on Nonstop through both doors. */
export async function mochaSuite({ folder, filter, name }: MochaSuite): Promise<Suite> {
  const root = path.resolve(folder);
  const original = await report(root, { filter, env: {}, preloads: [] });
  const notes: string[] = [];
  const verdicts: Verdict[] = original.failures.map(({ fullTitle }) => ({ name: fullTitle, original: 'fail' }));
  for (const door of Object.keys(DOORS) as By[]) {
    const { result: ours, tally } = await tallied((file) => {
      const { env, preloads } = DOORS[door];
      // View engines are resolved from the framework's folder, which differs here.
      const modules = { NODE_PATH: path.join(root, 'node_modules') };
      const alias = { CONFORMANCE_ROOT: root, CONFORMANCE_ENTRY: ENTRIES[name], CONFORMANCE_TALLY: file };
      return report(root, { filter, env: { ...env, ...modules, ...alias }, preloads });
    });
    verdicts.push(...compare(door, original, ours), throughDoor(door, tally));
    notes.push(`[${door}] ${told(tally)}`);
  }
  return { verdicts, notes };
}

function compare(door: By, original: Report, ours: Report): Verdict[] {
  const passed = new Set(ours.passes.map(({ fullTitle }) => fullTitle));
  // Several tests may have the same title: if one of them fails, none counts as passed.
  const reasons = new Map(ours.failures.map(({ fullTitle, err }) => [fullTitle, err.message]));
  return original.passes.map(({ fullTitle }) => {
    const name = `[${door}] ${fullTitle}`;
    if (passed.has(fullTitle) && !reasons.has(fullTitle)) return { name, original: 'pass', ours: 'pass' };
    const reason = (reasons.get(fullTitle) ?? 'it did not run').split('\n')[0];
    return { name, original: 'pass', ours: 'fail', reason };
  });
}

/** A run counts for a door only if all of its requests went through that door. */
function throughDoor(door: By, tally: Tally): Verdict {
  const whole = tally[door] > 0 && tally.engine + tally['node:http'] + tally.left === tally[door];
  const verdict = { name: `[${door}] every request is served by ${door}`, original: 'pass' } as const;
  return whole ? { ...verdict, ours: 'pass' } : { ...verdict, ours: 'fail', reason: told(tally) };
}

interface Run {
  readonly filter: string;
  readonly env: Env;
  readonly preloads: readonly string[];
}

/** Runs a suite with its own mocha. */
export async function report(root: string, { filter, env, preloads }: Run): Promise<Report> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  const file = path.join(folder, 'report.json');
  const folders = ['test', 'test/acceptance'].filter((name) => existsSync(path.join(root, name)));
  const args = [...preloads.flatMap((preload) => ['--require', preload]), MAIN, file, filter, ...folders];
  try {
    const { output } = await runNode({ args, cwd: root, env: { NODE_ENV: 'test', ...env }, timeoutMs: TIMEOUT_MS });
    const text = await readFile(file, 'utf8').catch(() => {
      throw new Error(`mocha gave no report in ${root}:\n${output.slice(-2_000)}`);
    });
    return JSON.parse(text) as Report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
