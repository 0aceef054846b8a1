import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { asksFive, imports } from './projects.mjs';
import { onBoth, runtimeBinary, runtimes } from './runtimes.mjs';

/**
 * @typedef {{ folder: string, env: NodeJS.ProcessEnv, tarballs: Record<number, string> }} Project
 * @typedef {object} Tools helpers for the ways
 * @property {(project: Project, manifest: object, files: Record<string, string>) => void} write
 * @property {(project: Project, ...packages: string[]) => Promise<unknown>} install
 * @property {(project: Project, args: string[]) => Promise<string>} node runs it and returns its stdout
 * @property {(project: Project, program: string, args: string[]) => Promise<string>} run the same for another program
 */

const FLAG = ['--import', 'nonstop/register'];

/** A program that writes into a file, for runners that capture the output. */
const intoFile = `const console = { log: (line) => require('node:fs').appendFileSync(__dirname + '/said', line + '\\n') };`;

/** The last statement of a program as a test of a runner. @param {string} program */
const asTest = (program) =>
  program.replace(/\(async \(\) => \{ (for .*) \}\)\(\);\s*$/s, "test('serves', async () => { $1 });");

/** Loads a program as a page of Vite's development server. */
const SERVES = `import { createServer } from 'vite';
  import nonstop from 'nonstop/vite';
  const server = await createServer({ configFile: false, plugins: [nonstop()], appType: 'custom', logLevel: 'error',
    optimizeDeps: { noDiscovery: true }, server: { middlewareMode: true, ws: false, hmr: false } });
  await server.ssrLoadModule('/app.mjs');
  await server.close();`;

/**
 * Title, tool, node's arguments, and the files of the project. @type {[title: string, tool: string, args: string[],
 * files: Record<string, string>][]}
 */
const STARTED = [
  [
    'tsx: the flag is passed on to its child',
    'tsx@4',
    ['node_modules/tsx/dist/cli.mjs', ...FLAG, 'app.ts'],
    {
      'app.ts': imports,
    },
  ],
  [
    'tsx: as a flag beside nonstop/register',
    'tsx@4',
    [...FLAG, '--import', 'tsx', 'app.mts'],
    {
      'app.mts': imports,
    },
  ],
  [
    'ts-node: --require nonstop/register',
    'ts-node@10',
    ['--require', 'nonstop/register', 'node_modules/ts-node/dist/bin.js', '--transpileOnly', 'app.ts'],
    {
      'app.ts': asksFive,
      'tsconfig.json': '{ "compilerOptions": { "module": "commonjs", "target": "es2022" } }',
    },
  ],
  [
    '@babel/register',
    '@babel/register@7',
    [...FLAG, 'start.cjs'],
    {
      'start.cjs': "require('@babel/register')({ ignore: [] }); require('./app.cjs');",
      'app.cjs': asksFive,
    },
  ],
  [
    'an absolute path',
    'mri@1',
    [...FLAG, 'app.cjs'],
    {
      'app.cjs': asksFive.replace(
        "require('express')",
        "require(require('node:path').resolve('node_modules/express'))",
      ),
    },
  ],
  [
    'node --test',
    'mri@1',
    [...FLAG, '--test', '--test-reporter=dot', 'app.test.cjs'],
    {
      'app.test.cjs': asTest(`const { test } = require('node:test'); ${intoFile} ${asksFive}`),
    },
  ],
  [
    'jest: nonstop/jest as its resolver',
    'jest@30',
    ['node_modules/jest/bin/jest.js'],
    {
      'jest.config.cjs': "module.exports = { resolver: 'nonstop/jest' };",
      'app.test.js': asTest(`${intoFile} ${asksFive}`),
    },
  ],
  .../** @type {const} */ ([3, 4]).map(
    (version) =>
      /** @type {(typeof STARTED)[number]} */ ([
        `vitest ${version}: nonstop/vite as a plugin`,
        `vitest@${version}`,
        ['node_modules/vitest/vitest.mjs', 'run'],
        {
          'vitest.config.mjs': "import nonstop from 'nonstop/vite'; export default { plugins: [nonstop()] };",
          'app.test.js': asTest(
            `import { test } from 'vitest'; import { appendFileSync } from 'node:fs';
            const console = { log: (line) => appendFileSync('said', line + '\\n') }; ${imports}`,
          ),
        },
      ]),
  ),
  .../** @type {const} */ ([5, 6, 7, 8]).map(
    (version) =>
      /** @type {(typeof STARTED)[number]} */ ([
        `Vite ${version}: nonstop/vite as a plugin, ssrLoadModule()`,
        `vite@${version}`,
        ['start.mjs'],
        { 'start.mjs': SERVES, 'app.mjs': imports.replace(/\(async \(\) => \{ (for .*) \}\)\(\);\s*$/s, '$1') },
      ]),
  ),
];

/** Has nodemon start the program, and end when it has ended. */
const NODEMON = `const nodemon = require('nodemon');
  nodemon({ script: 'app.cjs' }).on('exit', () => process.exit()).on('crash', () => process.exit(1));`;

/** The same for pm2, without its daemon. @param {'fork' | 'cluster'} mode */
const pm2 = (mode) => `const pm2 = require('pm2');
  const failed = (error) => { if (error) { console.error(error); process.exit(1); } };
  pm2.connect(true, (error) => {
    failed(error);
    pm2.launchBus((failure, bus) => {
      failed(failure);
      bus.on('process:event', ({ event }) => { if (event === 'exit') process.exit(); });
      pm2.start({ script: 'app.cjs', exec_mode: '${mode}', instances: 1, autorestart: false, node_args: '--import nonstop/register' }, failed);
    });
  });`;

/** Tools that start the program in a process of its own. @type {[title: string, tool: string, env: (project: Project) => Record<string, string>, files: Record<string, string>][]} */
const WATCHED = [
  [
    'nodemon: NODE_OPTIONS',
    'nodemon@3',
    () => ({ NODE_OPTIONS: '--import nonstop/register' }),
    { 'start.cjs': NODEMON, 'app.cjs': asksFive },
  ],
  .../** @type {const} */ (['fork', 'cluster']).map(
    (mode) =>
      /** @type {[string, string, (project: Project) => Record<string, string>, Record<string, string>]} */ ([
        `pm2, exec_mode ${mode}: node_args`,
        'pm2@7',
        ({ folder }) => ({ PM2_HOME: path.join(folder, '.pm2') }),
        // pm2 ends a program when it is told to, or when nothing is left to do; a worker of a cluster keeps its channel.
        {
          'start.cjs': pm2(mode),
          'app.cjs': `${intoFile} ${asksFive.replace(/\}\)\(\);\s*$/, 'process.exit(); })();')}`,
        },
      ]),
  ),
];

/**
 * Ways in which another tool than node runs a program.
 * @param {Tools} tools
 */
export function runnerWays({ write, install, node, run }) {
  const five = (/** @type {Project} */ project, /** @type {string[]} */ ...packages) =>
    install(project, 'express@^5', `file:${project.tarballs[5]}`, ...packages);
  /** @param {string} title @param {string} tool @param {string[]} args @param {Record<string, string>} files */
  const started = (title, tool, args, files) => ({
    title,
    try: async (/** @type {Project} */ project) => {
      write(project, {}, files);
      await five(project, tool, ...(tool.startsWith('ts-node') ? ['typescript@5'] : []));
      return node(project, args);
    },
  });
  /** @param {keyof typeof runtimes} name */
  const runtime = (name) => ({
    title: `${name}: the answers of Express, by its own server`,
    try: async (/** @type {Project} */ project) => {
      write(project, {}, { 'app.cjs': onBoth });
      await five(project);
      const program = await runtimeBinary(name, inRoot('.build', 'runtimes', name));
      return run(project, program, [...runtimes[name].args, 'app.cjs']);
    },
  });
  /** @param {(typeof WATCHED)[number]} way */
  const watched = ([title, tool, env, files]) => ({
    title,
    try: async (/** @type {Project} */ project) => {
      write(project, {}, files);
      await five(project, tool);
      return node({ ...project, env: { ...project.env, ...env(project) } }, ['start.cjs']);
    },
  });
  return [...STARTED.map((each) => started(...each)), ...WATCHED.map(watched), runtime('Bun'), runtime('Deno')];
}

/** The file that a program wrote, or else its output. @param {string} folder @param {string} printed */
export function said(folder, printed) {
  const file = path.join(folder, 'said');
  return existsSync(file) ? readFileSync(file, 'utf8') : printed;
}
