// npm run ways-in: tries each way to replace Express by Nonstop, and other frameworks on the engine, in an empty project with the packed package.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Checks } from '../../../scripts/lib/checks.mjs';
import { list, readCommandLine } from '../../../scripts/lib/command-line.mjs';
import { compilePackage } from '../../../scripts/lib/compile.mjs';
import { main } from '../../../scripts/lib/main.mjs';
import { packFolder } from '../../../scripts/lib/pack.mjs';
import { writePackage } from '../../../scripts/lib/package-folder.mjs';
import { mustRun, npm } from '../../../scripts/lib/run.mjs';
import { setup } from '../../../scripts/lib/setup.mjs';
import { frameworkWays } from './frameworks.mjs';
import { managerWays } from './managers.mjs';
import { asksBoth, asksFive, asksFour, BOTH, dependents, imports, MAJORS, right } from './projects.mjs';
import { runnerWays, said as saidBy } from './runners.mjs';
import { openRegistry } from './registry.mjs';

const usage = `npm run ways-in [-- --only npm,pnpm]     tries each way in an empty project
A way whose tool npm cannot bring is named as not tried, with the reason.`;

/** Versions without a prerelease, so that they match a range such as ^5. */
const VERSIONS = /** @type {const} */ ({ 4: '4.22.0', 5: '5.3.0' });

/** Tools that npm installs on demand. */
const TOOLS = { pnpm: 'pnpm@10', 'pnpm-12': 'pnpm@12', yarn: 'yarn@1.22.22', berry: '@yarnpkg/cli-dist@4' };

/** @typedef {{ folder: string, env: NodeJS.ProcessEnv, tarballs: Record<number, string> }} Project */
/** @typedef {{ title: string, tool?: keyof typeof TOOLS, try: (project: Project) => Promise<string> }} Way */

/** @type {Way[]} the last lines of its output are compared with the expected ones */
const ways = [
  {
    title: 'npm: overrides, for two major versions at once',
    try: async (project) => {
      write(project, { dependencies: BOTH, overrides: MAJORS }, { 'app.js': asksBoth });
      await install(project);
      return node(project, ['app.js']);
    },
  },
  {
    title: 'npm: an alias of the registry, express@npm:nonstop',
    try: async (project) => {
      write(project, {}, { 'app.js': asksFive });
      await install(project, 'express@npm:nonstop@^5');
      return node(project, ['app.js']);
    },
  },
  {
    title: 'npm: an alias of the registry for Express 4',
    try: async (project) => {
      write(project, {}, { 'app.js': asksFour });
      await install(project, 'express@npm:nonstop@^4');
      return node(project, ['app.js']);
    },
  },
  {
    title: 'npm: an alias of a tarball',
    try: async (project) => {
      write(project, {}, { 'app.js': asksFive });
      await install(project, `express@file:${project.tarballs[5]}`);
      return node(project, ['app.js']);
    },
  },
  {
    title: 'npm: express-async-errors patches an alias for Express 4',
    try: async (project) => {
      const rejects = asksFour.replace(
        '(req, res) => res.send(404)',
        "async () => { throw Object.assign(new Error('Not Found'), { status: 404 }); }",
      );
      write(project, {}, { 'app.js': `require('express-async-errors');${rejects}` });
      await install(project, 'express@npm:nonstop@^4', 'express-async-errors@3');
      return node(project, ['app.js']);
    },
  },
  {
    title: 'yarn 1: resolutions, by the package that depends',
    tool: 'yarn',
    try: async (project) => {
      const resolutions = { 'needs-four/express': MAJORS['express@^4'], 'needs-five/express': MAJORS['express@^5'] };
      write(project, { dependencies: BOTH, resolutions }, { 'app.js': asksBoth });
      await tool(
        'yarn',
        ['install', '--ignore-scripts', '--no-lockfile', '--cache-folder', path.join(project.folder, '.cache')],
        project,
      );
      return node(project, ['app.js']);
    },
  },
  {
    title: 'yarn 4: resolutions, by the range',
    tool: 'berry',
    try: async (project) => {
      const resolutions = { 'express@npm:^4.17.0': MAJORS['express@^4'], 'express@npm:^5.0.0': MAJORS['express@^5'] };
      const settings = `nodeLinker: node-modules\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableTelemetry: false\nenableImmutableInstalls: false\nnpmMinimalAgeGate: 0\nglobalFolder: ./.yarn-global\n`;
      write(
        project,
        { dependencies: BOTH, resolutions },
        { 'app.js': asksBoth, 'yarn.lock': '', '.yarnrc.yml': settings },
      );
      await tool('berry', ['install', '--mode=skip-build'], project);
      return node(project, ['app.js']);
    },
  },
  {
    title: 'NODE_OPTIONS: nonstop/register, where the application has Express 5',
    try: async (project) => {
      write(project, {}, { 'app.js': asksFive });
      await install(project, 'express@^5', `file:${project.tarballs[5]}`);
      return node({ ...project, env: { ...project.env, NODE_OPTIONS: '--import nonstop/register' } }, ['app.js']);
    },
  },
  {
    title: 'NODE_OPTIONS: nonstop/register, where packages have Express 4 and 5',
    try: async (project) => {
      write(project, { dependencies: BOTH }, { 'app.js': asksBoth });
      await install(project, `file:${project.tarballs[5]}`);
      return node({ ...project, env: { ...project.env, NODE_OPTIONS: '--import nonstop/register' } }, ['app.js']);
    },
  },
  {
    title: 'esbuild: an alias',
    try: async (project) => {
      write(project, {}, { 'app.mjs': imports });
      await install(project, `file:${project.tarballs[5]}`, 'esbuild@^0.25');
      const options = ['app.mjs', '--bundle', '--platform=node', '--alias:express=nonstop', '--outfile=out.js'];
      await node(project, ['node_modules/esbuild/bin/esbuild', ...options]);
      return alone(project, 'out.js');
    },
  },
  {
    title: 'webpack: resolve.alias',
    try: async (project) => {
      const config = `module.exports = { mode: 'production', target: 'node', entry: './app.mjs', output: { path: __dirname, filename: 'out.js' },
        optimization: { minimize: false }, resolve: { alias: { express$: 'nonstop' } } };`;
      write(project, {}, { 'app.mjs': imports, 'webpack.config.js': config });
      await install(project, `file:${project.tarballs[5]}`, 'webpack@^5', 'webpack-cli@^6');
      await node(project, ['node_modules/webpack/bin/webpack.js']);
      return alone(project, 'out.js');
    },
  },
  {
    title: "Vite's build for the server: resolve.alias",
    try: async (project) => {
      const config = `export default { resolve: { alias: { express: 'nonstop' } }, ssr: { noExternal: true },
        build: { ssr: 'app.mjs', outDir: 'out', minify: false, rollupOptions: { output: { entryFileNames: 'out.mjs' } } } };`;
      write(project, {}, { 'app.mjs': imports, 'vite.config.mjs': config });
      await install(project, `file:${project.tarballs[5]}`, 'vite@^7');
      await node(project, ['node_modules/vite/bin/vite.js', 'build']);
      return alone(project, path.join('out', 'out.mjs'));
    },
  },
  ...managerWays({ write, install: (project, ...packages) => install(project, ...packages), node, tool }),
  ...frameworkWays({ write, install: (project, ...packages) => install(project, ...packages), node }),
  ...runnerWays({
    write,
    install: (project, ...packages) => install(project, ...packages),
    node,
    run: async ({ folder, env }, program, args) =>
      (await mustRun(program, args, { cwd: folder, env: { ...env, NO_DEPRECATION: '*' }, seconds: 120 })).stdout,
  }),
];

/**
 * @param {Checks} checks
 * @param {Way} way
 * @param {Project} project
 */
async function attempt(checks, way, project) {
  if (way.tool !== undefined) {
    try {
      await tool(way.tool, ['--version'], project);
    } catch (error) {
      checks.skipped++;
      checks.say(
        `not tried: ${way.title}: npm cannot bring ${TOOLS[way.tool]} (${String(error instanceof Error ? error.message : error).split('\n')[0]})`,
      );
      return;
    }
  }
  await checks.check(way.title, async () => {
    const said = saidBy(project.folder, await way.try(project))
      .trim()
      .split('\n');
    const wrong = said.filter((line) => line !== right);
    if (wrong.length > 0) throw new Error(`it says\n${wrong.join('\n')}\nin the place of\n${right}`);
  });
}

/** Packs both major versions, and the packages that depend on them. @param {string} work */
async function packAll(work) {
  /** @type {{ manifest: Record<string, any>, tarball: string }[]} */
  const packages = [];
  /** @type {Record<number, string>} */
  const tarballs = {};
  for (const express of /** @type {const} */ ([5, 4])) {
    const folder = path.join(work, `nonstop-${express}`);
    writePackage(folder, { express, version: VERSIONS[express] });
    tarballs[express] = await packFolder(folder, work);
    packages.push({ manifest: manifestIn(folder), tarball: tarballs[express] });
  }
  for (const { program, ...manifest } of dependents) {
    const folder = path.join(work, manifest.name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'index.js'), program);
    packages.push({ manifest, tarball: await packFolder(folder, work) });
  }
  return { packages, tarballs };
}

/** @param {string} folder */
const manifestIn = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/**
 * @param {Project} project
 * @param {object} manifest
 * @param {Record<string, string>} files
 */
function write({ folder }, manifest, files) {
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, ...manifest }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/** @param {Project} project @param {...string} packages */
const install = ({ folder, env }, ...packages) =>
  npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', ...packages], {
    cwd: folder,
    env,
    seconds: 180,
  });

/**
 * Runs a package manager that is installed in a folder beside the projects, because it is not a part of them.
 * @param {keyof typeof TOOLS} name
 * @param {string[]} args
 * @param {Project} project
 */
async function tool(name, args, { folder, env }) {
  const [, packageName] = /** @type {string[]} */ (/^(.+)@/.exec(TOOLS[name]));
  const home = path.join(folder, '..', `tool-${name}`);
  const place = path.join(home, 'node_modules', packageName);
  if (!existsSync(place)) {
    mkdirSync(home, { recursive: true });
    await npm(['install', '--no-audit', '--no-fund', '--prefix', home, TOOLS[name]], { seconds: 120 });
  }
  const { bin } = manifestIn(place);
  const command = { berry: 'yarn', 'pnpm-12': 'pnpm' }[String(name)] ?? name;
  const program = path.join(place, typeof bin === 'string' ? bin : bin[command]);
  // From 12 on pnpm is no JavaScript.
  if (name === 'pnpm-12') return mustRun(program, args, { cwd: folder, env, seconds: 180 });
  return mustRun(process.execPath, [program, ...args], { cwd: folder, env, seconds: 180 });
}

/** @param {Project} project @param {string[]} args @returns {Promise<string>} what it writes to stdout */
async function node({ folder, env }, args) {
  const { stdout } = await mustRun(process.execPath, args, {
    cwd: folder,
    env: { ...env, NO_DEPRECATION: '*' },
    seconds: 120,
  });
  return stdout;
}

/** A bundle runs without the bundled packages. @param {Project} project @param {string} file */
function alone(project, file) {
  rmSync(path.join(project.folder, 'node_modules'), { recursive: true });
  return node(project, [file]);
}

await main(async () => {
  const { values } = readCommandLine(usage, { only: { type: 'string' } });
  const only = list('only', values.only);
  await setup(console.log);
  await compilePackage();
  const work = realpathSync(mkdtempSync(path.join(tmpdir(), 'nonstop-ways-in-')));
  const { packages, tarballs } = await packAll(work);
  const { stdout } = await npm(['config', 'get', 'registry']);
  const registry = await openRegistry(packages, stdout.trim());
  const checks = new Checks();
  try {
    const chosen = ways.filter(({ title }) => only === undefined || only.some((word) => title.includes(word)));
    for (const [index, way] of chosen.entries()) {
      const folder = path.join(work, `project-${index}`);
      mkdirSync(folder);
      const env = {
        // npm's variables for scripts would be read as settings.
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
        npm_config_registry: registry.url,
        pnpm_config_registry: registry.url,
        YARN_NPM_REGISTRY_SERVER: registry.url,
        YARN_REGISTRY: registry.url,
      };
      await attempt(checks, way, { folder, env, tarballs });
    }
  } finally {
    registry.close();
    rmSync(work, { recursive: true, force: true });
  }
  checks.close();
});
