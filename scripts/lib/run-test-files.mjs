import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { indent, seconds } from './checks.mjs';
import { inRoot, root } from './paths.mjs';
import { killGroup, start } from './run.mjs';

/**
 * @typedef {import('./checks.mjs').Checks} Checks
 * @typedef {import('./nodes.mjs').NodeBinary} NodeBinary
 * @typedef {{ name: string, outcome: 'passed' | 'failed' | 'skipped', reason?: unknown, error?: string }} Result
 * @typedef {{ results: Result[], problem?: string, output: string }} FileOutcome
 * @typedef {{ file: string, where: string, outcome: FileOutcome, reasons: string[] }} Played
 *
 * `files`: as `testFiles` names them. `seconds`: time limit of a file, default 300. The longest takes 50 s on a quiet machine, and more than
 * 120 s on a busy one. `again`: up to {@link mostUnsteady} failed files run a second time, alone; those that pass then are counted as unsteady.
 * @typedef {{ node: NodeBinary, files: string[], env?: NodeJS.ProcessEnv, seconds?: number, again?: boolean }} Batch
 */

const reporter = new URL('./report-tests.mjs', import.meta.url).href;
/**
 * Maximum number of files of one Node that may fail at first. The tests start processes and sockets, and a busy machine
 * shows a race in one run of a hundred; more files than that are a fault of the code.
 */
const mostUnsteady = 3;
/** Maximum number of lines of an error: enough for a stack and a diff. */
const linesShown = 80;

/** The suites: those of the packages and of the scripts. */
const suites = ['packages/nonstop/test', 'packages/lab/test', 'packages/ecosystem/test', 'scripts/test'];

/** @returns {string[]} every test source, such as 'packages/nonstop/test/wire/parser.test.ts', in the order of the suites and sorted */
export function testFiles() {
  return suites.flatMap((suite) =>
    readdirSync(inRoot(suite), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.posix.join(suite, name.split(path.sep).join('/')))
      .toSorted(),
  );
}

/**
 * Files that wait for deadlines, drains and other processes for more than half of their time. They have lanes of their own, beside those of
 * files that keep a core busy. A file that is missing here only costs time.
 */
const MOSTLY_WAITING = new RegExp(
  `^packages/nonstop/test/(?:${[
    'docs/samples',
    'examples/(?:programs|recipes|live-list)',
    'express/loaded-ahead',
    'files/content-cache',
    'fuzz/programs',
    'http/(?:after-throws|contexts-of-events|deadlines|keep-alive|left-behind|limits|reads|socket-use|thrown-anywhere)',
    'parity/v4/(?:app|random-apps)',
    'production/(?:drain|drain-http2|drain-workers|supervisor|supervisor-races)',
  ].join('|')})\\.test\\.ts$|^packages/lab/test/(?:board|published)\\.test|^scripts/test/run-test-files\\.test`,
);

/**
 * Runs the compiled test files of all batches, each in its own process. The batches share one queue, so that the first files of a Node run
 * beside the last ones of the Node before.
 *
 * Each core has one lane for busy files and one for files that mostly wait. When no waiting files are left, one of their lanes runs busy files.
 * With lanes for files of both kinds, one per core and one more, two cores were busy for only five sixths of the time.
 * @param {Checks} checks receives the counts and failures
 * @param {Batch[]} batches
 */
export async function runTestFiles(checks, batches) {
  for (const { node, files } of batches) checks.say(`${files.length} test files on Node ${node.version}`);
  const started = performance.now();
  let done = 0;
  // Its own folder, because the tests of this runner run it inside itself.
  const results = inRoot('.build', 'results', `${batches[0]?.node.major}-${process.pid}`);
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const runs = batches.map((batch, i) => new BatchRun(checks, batch, path.join(results, String(i))));
  const all = runs.flatMap((run) => run.batch.files.map((file) => ({ run, file })));
  const waiting = all.filter(({ file }) => MOSTLY_WAITING.test(file));
  const busy = all.filter(({ file }) => !MOSTLY_WAITING.test(file));
  /** @param {(() => (typeof all)[number] | undefined)} next */
  const lane = async (next) => {
    for (let each = next(); each !== undefined; each = next()) {
      await each.run.first(each.file);
      done++;
      if (done % 100 === 0) checks.say(`      ${done} of ${all.length} files after ${seconds(started)}`);
    }
  };
  const cores = availableParallelism();
  await Promise.all([
    ...Array.from({ length: cores }, () => lane(() => busy.shift())),
    lane(() => waiting.shift() ?? busy.shift()),
    ...Array.from({ length: cores - 1 }, () => lane(() => waiting.shift())),
  ]);
  for (const run of runs) await run.second();
  rmSync(results, { recursive: true, force: true });
}

/** The files of a batch as they are played. */
class BatchRun {
  started = performance.now();
  left = 0;
  tests = 0;
  /** @type {Played[]} */
  failed = [];

  /**
   * @param {Checks} checks
   * @param {Batch} batch
   * @param {string} results the beginning of the paths of files for results
   */
  constructor(checks, batch, results) {
    this.checks = checks;
    this.batch = batch;
    this.results = results;
    this.left = batch.files.length;
  }

  /** @param {string} file */
  async first(file) {
    const { checks, batch } = this;
    const played = await this.play(file);
    this.tests += played.outcome.results.length;
    if (played.reasons.length > 0) this.failed.push(played);
    else count(checks, played);
    if (--this.left > 0) return;
    const { node, files } = batch;
    const failed = this.failed.length === 0 ? '' : `, ${this.failed.length} files failed`;
    const counts = `${files.length} files, ${this.tests} tests${failed}`;
    checks.say(`      Node ${node.major} (${node.version}) done: ${counts}  ${seconds(this.started)}`);
  }

  /** Counts the failed files. If the batch allows it, each runs once more first, alone. */
  async second() {
    const { checks, batch, failed } = this;
    const again = batch.again === true && failed.length <= mostUnsteady;
    if (again && failed.length > 0) checks.say('      once more, alone:');
    for (const first of failed) {
      const last = again ? await this.play(first.file) : first;
      if (last.reasons.length === 0)
        checks.unsteady.push(...first.reasons.map((what) => ({ where: first.where, what })));
      count(checks, last);
    }
  }

  /** @param {string} file @returns {Promise<Played>} */
  async play(file) {
    const { node, env = process.env, seconds: limit = 300 } = this.batch;
    const started = performance.now();
    const resultFile = `${this.results}-${file.replaceAll('/', '-')}`;
    rmSync(resultFile, { force: true });
    const outcome = await runFile({ node, file, resultFile, env, limit });
    const where = `${file} (Node ${node.major})`;
    tell(this.checks, where, outcome, seconds(started));
    return { file, where, outcome, reasons: reasonsOf(outcome) };
  }
}

/**
 * @param {{ node: NodeBinary, file: string, resultFile: string, env: NodeJS.ProcessEnv, limit: number }} what
 * @returns {Promise<FileOutcome>}
 */
function runFile({ node, file, resultFile, env, limit }) {
  const compiled = path.join('.build', file.replace(/\.ts$/, '.js'));
  const args = ['--enable-source-maps', `--test-reporter=${reporter}`, `--test-reporter-destination=${resultFile}`];
  const { promise, resolve } = deferred();
  const child = start(node.path, [...args, compiled], { cwd: root, env });
  let output = '';
  let hung = false;
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => {
    hung = true;
    if (child.pid !== undefined) killGroup(child.pid);
  }, limit * 1000);
  child.once('error', (error) => resolve({ results: [], problem: error.message, output }));
  child.once('close', (code, signal) => {
    clearTimeout(timer);
    const results = readResults(resultFile);
    resolve({ results, output, problem: problemOf({ results, hung, limit, code, signal }) });
  });
  return promise;
}

/** @param {string} resultFile @returns {Result[]} */
function readResults(resultFile) {
  try {
    const lines = readFileSync(resultFile, 'utf8').split('\n');
    // A killed process may leave an incomplete line after the last newline.
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/**
 * The fault of a file apart from failed tests.
 * @param {{ results: Result[], hung: boolean, limit: number, code: number | null, signal: NodeJS.Signals | null }} end
 */
function problemOf({ results, hung, limit, code, signal }) {
  if (hung) {
    return `did not end within ${limit} s; last finished test: ${results.at(-1)?.name ?? 'none'}`;
  }
  if (signal) return `ended by ${signal}`;
  const unexplained = results.every(({ outcome }) => outcome !== 'failed');
  if (code !== 0 && unexplained) return `ended with exit code ${code} although no test failed`;
  if (results.length === 0) return 'holds no test';
  return undefined;
}

/** What is wrong with a file, a line each. @param {FileOutcome} outcome */
function reasonsOf({ results, problem }) {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const unreasoned = results.filter(
    ({ outcome, reason }) => outcome === 'skipped' && (typeof reason !== 'string' || reason === ''),
  );
  return [
    ...failed.map(({ name }) => name),
    ...unreasoned.map(({ name }) => `${name} is skipped without a reason`),
    ...(problem === undefined ? [] : [problem]),
  ];
}

/**
 * @param {Checks} checks
 * @param {{ where: string, outcome: FileOutcome, reasons: string[] }} played
 */
function count(checks, { where, outcome: { results }, reasons }) {
  checks.passed += results.filter(({ outcome }) => outcome === 'passed').length;
  checks.skipped += results.filter(({ outcome }) => outcome === 'skipped').length;
  checks.failures.push(...reasons.map((what) => ({ where, what })));
}

/**
 * @param {Checks} checks
 * @param {string} title
 * @param {FileOutcome} outcome
 * @param {string} took
 */
function tell(checks, title, outcome, took) {
  const { results, problem, output } = outcome;
  const bad = reasonsOf(outcome).length > 0;
  checks.say(`${bad ? 'FAIL' : 'ok  '}  ${title}  ${results.length} tests  ${took}`);
  for (const { name, outcome, reason } of results)
    if (outcome === 'skipped') checks.say(`      skipped: ${name} (${String(reason)})`);
  for (const { name, outcome, error } of results)
    if (outcome === 'failed') checks.say(indent(`${name}\n${shortened(error ?? '')}\n`));
  if (problem !== undefined) checks.say(indent(problem));
  if (bad && output.trim() !== '') checks.say(indent(`--- what it printed\n${shortened(output.trim())}\n---`));
}

/** @param {string} text */
function shortened(text) {
  const lines = text.split('\n');
  const more = lines.length - linesShown;
  return more > 0 ? [...lines.slice(0, linesShown), `… and ${more} lines more`].join('\n') : text;
}

/** @returns {{ promise: Promise<FileOutcome>, resolve: (outcome: FileOutcome) => void }} */
function deferred() {
  /** @type {(outcome: FileOutcome) => void} */
  let resolve = () => undefined;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
