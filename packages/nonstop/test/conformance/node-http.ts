import { readdir, readFile } from 'node:fs/promises';
import path = require('node:path');
import { inLanes, runNode, type Outcome } from './run-process.js';
import { sum, tallied, told, type Tally } from './tally.js';
import { firstReason, type Suite, type Verdict } from './verdict.js';

export interface NodeTests {
  /** The folder with `parallel/`, `sequential/` and `common/`. */
  readonly folder: string;
  readonly filter: string;
  readonly jobs: number;
}

const TIMEOUT_MS = 20_000;
/** Files with servers that the engine leaves to node, with the reason. In all other files the engine must serve every request. */
const LEFT_TO_NODE: readonly (readonly [why: string, ...files: string[]])[] = [
  [
    'a lenient parser',
    'test-http-insecure-parser',
    'test-http-insecure-parser-per-stream',
    'test-https-insecure-parse-per-stream',
  ],
  [
    'message classes of its own',
    'test-http-server-options-incoming-message',
    'test-http-server-options-server-response',
    'test-https-server-options-incoming-message',
    'test-https-server-options-server-response',
  ],
];
const PRELOAD = path.join(__dirname, 'preload-engine.js');

/** Runs node's own http and https tests as they are. Those that pass run again with the engine in every server. */
export async function nodeHttpTests({ folder, filter, jobs }: NodeTests): Promise<Suite> {
  const root = path.resolve(folder);
  const lists = await Promise.all(
    ['parallel', 'sequential'].map(async (part) => {
      const names = await readdir(path.join(root, part));
      return names
        .filter((name) => /^test-https?-.*\.js$/.test(name) && name.includes(filter))
        .map((name) => path.join(part, name));
    }),
  );
  const judged = await inLanes(lists.flat().sort(), jobs, (file) => judge(root, file));
  return { verdicts: judged, notes: notesOf(judged.filter(({ ours }) => ours === 'pass')) };
}

interface Judged extends Verdict {
  readonly tally?: Tally;
}

function notesOf(passed: readonly Judged[]): string[] {
  const tallies = passed.map(({ tally }) => tally ?? sum([]));
  const some = (which: keyof Tally): number => tallies.filter((tally) => tally[which] > 0).length;
  const none = tallies.filter((tally) => tally.engine + tally.left === 0).length;
  return [
    told(sum(tallies)),
    `of those that pass, ${some('engine')} have requests on the engine, ${some('left')} on servers left to node, ${none} have none`,
  ];
}

let judgedFiles = 0;

async function judge(root: string, file: string): Promise<Judged> {
  // Names the folder for temporary files and sockets; tests that run at the same time must not share it.
  const TEST_SERIAL_ID = String(judgedFiles++);
  const flags = await flagsOf(path.join(root, file));
  const run = (env: Readonly<Record<string, string>>): Promise<Outcome> =>
    runNode({
      args: [...flags, path.join(root, file)],
      cwd: root,
      env: { TEST_SERIAL_ID, ...env },
      timeoutMs: TIMEOUT_MS,
    });
  const original = await run({});
  if (/^1\.\.0 # Skipped/m.test(original.output)) return { name: file, original: 'skip' };
  if (original.code !== 0) return { name: file, original: 'fail' };
  // In the environment, so that child processes of a test use the engine too.
  const { result: ours, tally } = await tallied((to) =>
    run({ NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}`, CONFORMANCE_TALLY: to }),
  );
  const fault = ours.code === 0 ? otherDoor(file, tally) : firstReason(ours.output);
  return { name: file, original: 'pass', ours: fault === undefined ? 'pass' : 'fail', reason: fault, tally };
}

/** @returns the counts if a request went through the wrong door: such a test proves nothing about the engine */
function otherDoor(file: string, tally: Tally): string | undefined {
  const known = LEFT_TO_NODE.some(([, ...files]) => files.includes(path.basename(file, '.js')));
  const left = tally.left > 0 && !known;
  return tally['node:http'] > 0 || left ? told(tally) : undefined;
}

/** node's tests name their flags in a comment: `// Flags: --expose-internals`. */
async function flagsOf(file: string): Promise<string[]> {
  const source = await readFile(file, 'utf8');
  const line = /^\/\/ Flags: (.*)$/m.exec(source);
  return line === null ? [] : line[1].trim().split(/\s+/);
}
