// npm test: sets up, builds, and checks everything that must hold.
import { existsSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Checks, seconds } from './lib/checks.mjs';
import { compile, compilePackage } from './lib/compile.mjs';
import { nodeBinary } from './lib/nodes.mjs';
import { installTarball, lintTarball, pack } from './lib/pack.mjs';
import { inRoot } from './lib/paths.mjs';
import { mustRunTool, npm } from './lib/run.mjs';
import { runTestFiles, testFiles } from './lib/run-test-files.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm test -- [options]
  --nodes 20,22,24,26   run the test files under each of these majors (default: the running Node)
  --only <substring>    only test files whose path contains it, and no other check
  --quick               build and test files alone: no lint, format, type or package checks
  --ci                  all four Nodes and a short head-to-head; the same as CI=true`;

const checks = new Checks();
const started = performance.now();
const options = readOptions();
try {
  await setup((line) => checks.say(line));
  await build();
  const consumer = options.everything ? await checkTree() : undefined;
  await runTests(consumer);
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
    const { values } = parseArgs({
      options: {
        nodes: { type: 'string' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        ci: { type: 'boolean', default: process.env['CI'] === 'true' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const { only, quick } = values;
    const ci = values.ci && only === undefined && !quick;
    const nodes = (values.nodes ?? (ci ? '20,22,24,26' : process.versions.node.split('.')[0])).split(',');
    return { only, ci, nodes, everything: only === undefined && !quick };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

async function build() {
  await checks.check('build src', compilePackage);
  await checks.check('build bench', () => compile('bench/tsconfig.json'));
  await checks.check('build test', () => compile('test/tsconfig.json'));
}

/** The checks that read the whole tree once. Returns the folder in which the packed package is installed. */
async function checkTree() {
  await checks.check('lint', () => mustRunTool('oxlint', []));
  await checks.check('format', () => mustRunTool('oxfmt', ['--check']));
  await checks.check('types of scripts', () => compile('scripts/tsconfig.json'));
  if (existsSync(inRoot('test/types/tsconfig.json'))) {
    await checks.check('types as users see them', () => compile('test/types/tsconfig.json'));
  }
  const tarball = await checks.check('npm pack', pack);
  if (tarball === undefined) return undefined;
  await checks.check('publint and arethetypeswrong', () => lintTarball(tarball));
  return checks.check('install the tarball', () => installTarball(tarball));
}

/** @param {string | undefined} consumer */
async function runTests(consumer) {
  const files = testFiles().filter((file) => options.only === undefined || file.includes(options.only));
  if (files.length === 0)
    throw new Error(`no test file${options.only ? ` whose path contains '${options.only}'` : ''}`);
  // Inside a run of `node --test` the children would answer in its own binary format.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  if (consumer !== undefined) env['NONSTOP_CONSUMER'] = consumer;
  for (const major of options.nodes) {
    const node = await checks.check(`Node ${major}`, () => nodeBinary(major, (line) => checks.say(line)));
    if (node !== undefined) await runTestFiles(checks, node, files, { env });
  }
}
