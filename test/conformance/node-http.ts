import { readdir, readFile } from 'node:fs/promises';
import path = require('node:path');
import { inLanes, runNode, type Outcome } from './run-process.js';
import { firstReason, type Verdict } from './verdict.js';

export interface NodeTests {
  /** The folder with `parallel/`, `sequential/` and `common/`. */
  readonly folder: string;
  readonly filter: string;
  readonly jobs: number;
}

const TIMEOUT_MS = 20_000;
const PRELOAD = path.join(__dirname, 'preload-engine.js');

/** Runs node's own http and https tests as they are and, where they pass, with the engine in every server. */
export async function nodeHttpTests({ folder, filter, jobs }: NodeTests): Promise<Verdict[]> {
  const root = path.resolve(folder);
  const lists = await Promise.all(
    ['parallel', 'sequential'].map(async (part) => {
      const names = await readdir(path.join(root, part));
      return names
        .filter((name) => /^test-https?-.*\.js$/.test(name) && name.includes(filter))
        .map((name) => path.join(part, name));
    }),
  );
  return inLanes(lists.flat().sort(), jobs, (file) => judge(root, file));
}

async function judge(root: string, file: string): Promise<Verdict> {
  const flags = await flagsOf(path.join(root, file));
  const run = (extra: readonly string[]): Promise<Outcome> =>
    runNode({ args: [...flags, ...extra, path.join(root, file)], cwd: root, timeoutMs: TIMEOUT_MS });
  const original = await run([]);
  if (/^1\.\.0 # Skipped/m.test(original.output)) return { name: file, original: 'skip' };
  if (original.code !== 0) return { name: file, original: 'fail' };
  const ours = await run(['--require', PRELOAD]);
  if (ours.code === 0) return { name: file, original: 'pass', ours: 'pass' };
  return { name: file, original: 'pass', ours: 'fail', reason: firstReason(ours.output) };
}

/** node's tests name the flags they need in a comment: `// Flags: --expose-internals`. */
async function flagsOf(file: string): Promise<string[]> {
  const source = await readFile(file, 'utf8');
  const line = /^\/\/ Flags: (.*)$/m.exec(source);
  return line === null ? [] : line[1].trim().split(/\s+/);
}
