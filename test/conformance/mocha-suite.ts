import { existsSync } from 'node:fs';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import os = require('node:os');
import path = require('node:path');
import { runNode } from './run-process.js';
import { subject } from '../support/subject.js';
import type { Verdict } from './verdict.js';

export interface MochaSuite {
  /** A checkout with its dependencies, mocha among them, installed. */
  readonly folder: string;
  readonly name: 'express' | 'router';
  readonly filter: string;
}

interface Result {
  readonly fullTitle: string;
  readonly err: { readonly message?: string };
}

interface Report {
  readonly passes: readonly Result[];
  readonly failures: readonly Result[];
}

const TIMEOUT_MS = 300_000;
const PRELOAD = path.join(__dirname, 'preload-alias.js');
/** Both ways in which Nonstop serves. */
const DOORS = { engine: {}, 'node:http': { NONSTOP_ENGINE: 'node' } } as const;
/** What stands in for the package. */
const ENTRIES = { express: path.join(subject, 'index.js'), router: path.join(__dirname, 'router-entry.js') } as const;

/** Runs the suite on its own package and then on Nonstop, through both doors. */
export async function mochaSuite({ folder, filter, name }: MochaSuite): Promise<Verdict[]> {
  const root = path.resolve(folder);
  const original = await report(root, filter, {});
  const verdicts: Verdict[] = original.failures.map(({ fullTitle }) => ({ name: fullTitle, original: 'fail' }));
  for (const [door, env] of Object.entries(DOORS)) {
    // View engines are looked up from where the framework lies, which is another place now.
    const modules = path.join(root, 'node_modules');
    const alias = {
      ...env,
      NODE_PATH: modules,
      CONFORMANCE_ROOT: root,
      CONFORMANCE_ENTRY: ENTRIES[name],
    };
    const ours = await report(root, filter, alias);
    const passed = new Set(ours.passes.map(({ fullTitle }) => fullTitle));
    const reasons = new Map(ours.failures.map(({ fullTitle, err }) => [fullTitle, err.message]));
    for (const { fullTitle } of original.passes) {
      const title = `[${door}] ${fullTitle}`;
      if (passed.has(fullTitle)) verdicts.push({ name: title, original: 'pass', ours: 'pass' });
      else
        verdicts.push({
          name: title,
          original: 'pass',
          ours: 'fail',
          reason: (reasons.get(fullTitle) ?? 'it did not run').split('\n')[0],
        });
    }
  }
  return verdicts;
}

async function report(root: string, filter: string, env: Readonly<Record<string, string>>): Promise<Report> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  const file = path.join(folder, 'report.json');
  const here = (name: string): boolean => existsSync(path.join(root, name));
  const args = [
    path.join('node_modules', 'mocha', 'bin', 'mocha.js'),
    '--exit',
    ...(here('test/support/env.js') ? ['--require', 'test/support/env'] : []),
    ...('CONFORMANCE_ROOT' in env ? ['--require', PRELOAD] : []),
    ...(filter === '' ? [] : ['--grep', filter]),
    '--reporter',
    'json',
    '--reporter-option',
    `output=${file}`,
    ...['test/', 'test/acceptance/'].filter(here),
  ];
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
