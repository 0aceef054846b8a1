// npm test: sets up, builds, and runs every check.
import { rmSync } from 'node:fs';
import { Checks, indent, seconds } from './lib/checks.mjs';
import { list, readCommandLine } from './lib/command-line.mjs';
import { compile, compilePackage } from './lib/compile.mjs';
import { countsForCoverage, coverage, coveredEnv, leastLines } from './lib/coverage.mjs';
import { labModule } from './lib/head-to-head.mjs';
import { nodeBinary } from './lib/nodes.mjs';
import { installTarball, lintTarball, pack } from './lib/pack.mjs';
import { inRoot } from './lib/paths.mjs';
import { mustRunTool, npm, run } from './lib/run.mjs';
import { runTestFiles, testFiles } from './lib/run-test-files.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm test -- [options]
  --nodes 20,22,24,26   run the test files under each of these majors (default: the running Node)
  --only wire,fuzz      only test files whose path contains one of these texts, and no other check
  --quick               only the build and the test files: no lint, format, type or package checks
  --published           test the published files instead of the sources
  --coverage            only the test files of the framework, and which of its lines they reach
  --ci                  as CI: four Nodes, published files, coverage, a fleet, a fifth of the ecosystem, a short head-to-head (CI=true)`;

/** Files that check texts and sources. Only the first Node runs them, which saves CI about 2 minutes. */
const SAME_ON_EVERY_NODE =
  /^packages\/nonstop\/test\/(architecture|docs\/(?!samples)[\w-]+|package\/(declarations|prepack|readable|runtimes|typed-programs))\.test\.ts$/;

/**
 * The lab's pages, which run in a browser, and its commands that are not in `nonstop-lab`: only this repository has them. The first Node alone
 * runs their files; `packages/nonstop/test` tests the servers that they start on every Node. This saves CI half a minute.
 */
const COMMANDS_OF_THE_REPOSITORY =
  /^packages\/lab\/test\/(board|crud|crud-database|frontier|page\/[\w-]+|report|report-page|scale|study)\.test\.ts$/;

/** Tests of code that users do not run in production. Only the first and the last Node run them, which saves CI about 2 minutes. */
const OF_THE_REPOSITORY = /^(?:packages\/(?:lab|ecosystem)|scripts)\/test\//;

/** The example of production as a fleet. It is skipped unless NONSTOP_FLEET is set. */
const FLEET = 'packages/nonstop/test/production/fleet/voyage.test.ts';

/** CI runs the fleet on one Node: a run takes 35 s, and 52 s at a load average of 10. */
const FLEET_NODE = '24';

/**
 * Releases of one major differ (`src/node/differences.ts`). CI also runs the tests that depend on that on earlier releases.
 */
const OLDER_NODES = ['22.12.0', '24.0.0', '24.21.0', '26.0.0', '26.10.0'];
const DIFFERS_BY_RELEASE =
  /^packages\/nonstop\/test\/http\/(bad-input|body-use|closing|events|keep-alive|limits|pipelining|upgrade|waiting-answers|write-end)\.test\.ts$/;

/** @typedef {import('./lib/nodes.mjs').NodeBinary} NodeBinary */

const checks = new Checks();
const started = performance.now();
const options = readOptions();
announce();
try {
  await setup((line) => checks.say(line));
} catch (error) {
  // A missing prerequisite is reported in one line, without a stack.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
try {
  // npm fetches the other Nodes during the build.
  const nodes = fetchNodes();
  await build();
  const consumer = options.everything ? await checkTree() : undefined;
  // Beside the test files: it waits for the registry and for its own deadlines for three quarters of its time.
  const beside = options.ci ? ecosystem().catch((error) => error) : undefined;
  try {
    await runTests(await nodes, consumer);
  } finally {
    if (beside !== undefined) await checks.check('a fifth of the ecosystem', () => ecosystemAlone(beside));
  }
  if (consumer !== undefined) rmSync(consumer, { recursive: true, force: true });
  if (options.ci) await checks.check('npm start -- --once --quick', () => npm(['start', '--', '--once', '--quick']));
} catch (error) {
  checks.failures.push({ where: 'the run itself', what: error instanceof Error ? error.message : String(error) });
  console.error(error);
}
checks.say(`\nall of it took ${seconds(started)}`);
checks.close();

function readOptions() {
  try {
    const { values } = readCommandLine(usage, {
      nodes: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      published: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
      ci: { type: 'boolean', default: process.env['CI'] === 'true' },
    });
    const { only, quick, published, coverage: covered } = values;
    const everything = only === undefined && !quick && !covered;
    const ci = values.ci && everything;
    const nodes =
      list('nodes', values.nodes) ?? (ci ? ['20', '22', '24', '26'] : [process.versions.node.split('.')[0]]);
    const parts = list('only', only);
    const unknown = parts?.find((part) => !testFiles().some((file) => file.includes(part)));
    if (unknown !== undefined) throw new Error(`--only: no test file has '${unknown}' in its path`);
    const files = testFiles()
      .filter((file) => parts?.some((part) => file.includes(part)) ?? true)
      .filter((file) => !covered || countsForCoverage(file));
    if (files.length === 0) throw new Error(`--only: no test file with '${only}' in its path counts for coverage`);
    return { only, ci, nodes, published, everything, covered, files };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** Prints the steps and their prerequisites besides Node and npm before they run. */
function announce() {
  const { files, nodes, everything } = options;
  const majors = `Node ${nodes.join(', ')}`;
  checks.say(
    `${files.length} test files on ${majors}${everything ? ', after lint, types and the package itself' : ''}.`,
  );
  if (!everything) return;
  checks.say(`About ${7 * nodes.length + 3} minutes on two cores; each step is named when it starts or ends.`);
  checks.say(
    'Needs a network to check the packed package, and Go to build the database of one study (once, about 6 minutes).',
  );
  checks.say('Some tests need Chromium, ab or wrk; without them these tests are skipped, with the reason.\n');
}

async function build() {
  await checks.check('build packages/nonstop', compilePackage);
  await checks.check('build packages/lab', () => compile('packages/lab/tsconfig.json'));
  await checks.check('build the tests', () => compile('tsconfig.tests.json'));
}

/** The checks of the whole tree. Returns the folder in which the packed package is installed. */
async function checkTree() {
  // Together, because npm waits for its registry, and most of the tools use one core.
  const [consumer] = await Promise.all([checkPackage(), checkSources()]);
  return consumer;
}

async function checkSources() {
  await checks.check('lint', () => mustRunTool('oxlint', []), '5 s');
  await checks.check('unused exports, files and dependencies', () => mustRunTool('knip', ['--no-progress']));
  await checks.check('format', () => mustRunTool('oxfmt', ['--check']));
  await checks.check('types of scripts', () => compile('scripts/tsconfig.json'));
  await checks.check('types of the page', () => compile('packages/lab/client/tsconfig.json'));
}

async function checkPackage() {
  const tarball = await checks.check('npm pack', pack);
  if (tarball === undefined) return undefined;
  await checks.check('publint and arethetypeswrong', () => lintTarball(tarball), '10 s');
  return checks.check('install the tarball', () => installTarball(tarball), '10 s, needs a network');
}

/**
 * Packages of Express's ecosystem, a fifth each day. Exit status 3 means that some could not be installed, which is not a
 * fault of the code.
 */
async function ecosystem() {
  const args = [inRoot('packages/ecosystem/src/cli.mjs'), '--fifth', 'today', '--built'];
  const { code, output } = await run(process.execPath, args);
  if (code !== 0 && code !== 3) throw new Error(output);
  checks.say(indent(output.trim()));
}

/**
 * A package may give up an answer while the test files use both cores: a run that failed beside them is repeated alone, as their own
 * failures are (decision 0026).
 * @param {Promise<Error | undefined>} beside the error of the run beside the test files
 */
async function ecosystemAlone(beside) {
  const error = await beside;
  if (error === undefined) return;
  checks.say(indent(error.message.trim()));
  await ecosystem();
  checks.unsteady.push({ where: 'a fifth of the ecosystem', what: 'beside the test files' });
}

/** The Nodes that run test files: a failed check for each that could not be fetched. @returns {Promise<NodeBinary[]>} */
async function fetchNodes() {
  const found = [];
  for (const release of [...options.nodes, ...(options.ci ? OLDER_NODES : [])])
    found.push(await checks.check(`Node ${release}`, () => nodeBinary(release, (line) => checks.say(line))));
  return found.filter((node) => node !== undefined);
}

/**
 * Runs all files on all Nodes from one queue: otherwise a core would be idle at the end of each Node.
 * @param {NodeBinary[]} nodes
 * @param {string | undefined} consumer
 */
async function runTests(nodes, consumer) {
  const { files, ci } = options;
  if (files.some((file) => /^packages\/lab\/test\/(crud|page\/browser)/.test(file))) await buildDatabase();
  // Inside a run of `node --test` the children would report in its binary format.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  if (consumer !== undefined) env['NONSTOP_CONSUMER'] = consumer;
  await runTestFiles(
    checks,
    nodes.flatMap((node) => batchesOf(node, env)),
  );
  const counted = nodes.filter(isCovered).map(({ major }) => major);
  if (counted.length > 0) await checks.check(`coverage of lines, Node ${counted.join(', ')}`, reportCoverage);
  const ofFleet = nodes.find(({ major }) => ci && major === FLEET_NODE);
  // The fleet has ten processes, so it runs alone, with a time limit for a busy machine.
  if (ofFleet !== undefined) {
    const envOfFleet = { ...published(env), NONSTOP_FLEET: '1' };
    await runTestFiles(checks, [{ node: ofFleet, files: [FLEET], env: envOfFleet, seconds: 600, again: true }]);
  }
}

/**
 * What one Node runs.
 * @param {NodeBinary} node
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('./lib/run-test-files.mjs').Batch[]}
 */
function batchesOf(node, env) {
  const again = options.ci;
  const ofTest = options.ci || options.published ? published(env) : env;
  if (!options.nodes.includes(node.major))
    return [{ node, files: options.files.filter((file) => DIFFERS_BY_RELEASE.test(file)), env: ofTest, again }];
  const files = filesOn(node.major);
  if (!isCovered(node)) return [{ node, files, env: ofTest, again }];
  const others = files.filter((file) => !countsForCoverage(file));
  return [
    { node, files: files.filter(countsForCoverage), env: coveredEnv(env), again },
    ...(others.length > 0 ? [{ node, files: others, env, again }] : []),
  ];
}

/** Coverage is measured on the newest Node: it has the most features that the code uses. @param {NodeBinary} node */
function isCovered({ major }) {
  return options.covered ? options.nodes.includes(major) : options.ci && major === options.nodes.at(-1);
}

/** The chosen files that run on one of the chosen Nodes. @param {string} major */
function filesOn(major) {
  const { files, nodes } = options;
  const [first, last] = [major === nodes[0], major === nodes.at(-1)];
  const once = (/** @type {string} */ file) => SAME_ON_EVERY_NODE.test(file) || COMMANDS_OF_THE_REPOSITORY.test(file);
  return files.filter((file) => first || (!once(file) && (last || !OF_THE_REPOSITORY.test(file))));
}

/** `test/support/subject.ts` reads it. CI sets it in runs without coverage. @param {NodeJS.ProcessEnv} env */
function published(env) {
  return { ...env, NONSTOP_TESTED: 'dist' };
}

/**
 * Built before the tests that need it, because a test file has no time for it. Without Go these tests are skipped with a
 * reason.
 */
async function buildDatabase() {
  const { buildFerretDb, canHaveFerretDb } = labModule('crud/build-ferretdb.js');
  if (canHaveFerretDb()) await checks.check('FerretDB with Go, once', buildFerretDb, '6 min the first time');
}

async function reportCoverage() {
  const { folders, table } = await coverage();
  const short = folders.filter(({ total, covered }) => covered < (total * leastLines) / 100);
  for (const { folder, total, covered } of folders)
    checks.say(`      ${folder}  ${((covered / total) * 100).toFixed(2)} % of ${total} lines`);
  // With `--only` the share means nothing, but the list of lines may be useful.
  if (options.only === undefined && short.length > 0)
    throw new Error(`less than ${leastLines} % in ${short.map(({ folder }) => folder).join(', ')}\n${table}`);
  if (options.covered) checks.say(table);
}
