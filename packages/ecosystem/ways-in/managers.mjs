import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { asksBoth, asksFive, asksPeer, BOTH, MAJORS } from './projects.mjs';

/** @typedef {'pnpm' | 'pnpm-12' | 'berry'} Tool */
/** @typedef {{ title: string, tool?: Tool, try: (tools: Tools, project: Project) => Promise<string> }} ManagerWay */

/**
 * @typedef {{ folder: string, env: NodeJS.ProcessEnv, tarballs: Record<number, string> }} Project
 * @typedef {object} Tools what the ways work with
 * @property {(project: Project, manifest: object, files: Record<string, string>) => void} write
 * @property {(project: Project, ...packages: string[]) => Promise<unknown>} install
 * @property {(name: Tool, args: string[], project: Project) => Promise<{ stdout: string, output: string }>} tool
 * @property {(project: Project, args: string[]) => Promise<string>} node runs it, and gives what it writes to stdout
 */

const ALIAS = 'npm:nonstop@^5';
const PNPMS = /** @type {const} */ ([
  { tool: 'pnpm', name: 'pnpm 10' },
  { tool: 'pnpm-12', name: 'pnpm 12' },
]);
const PNPM_INSTALL = ['install', '--no-frozen-lockfile', '--ignore-scripts'];
const PEER = { express: ALIAS, 'has-peer': '1.0.0' };
const yarnSettings = (/** @type {'node-modules' | 'pnp'} */ linker) =>
  `nodeLinker: ${linker}\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableTelemetry: false\nenableImmutableInstalls: false\nnpmMinimalAgeGate: 0\nglobalFolder: ./.yarn-global\n`;

/** The lines in which a package manager finds fault with a peer. @param {string} output @param {RegExp} fault */
const faultIn = (output, fault) =>
  output
    .split('\n')
    .filter((line) => fault.test(line))
    .join('\n');

/** @param {Pick<Tools, 'write' | 'tool'>} tools @param {Project} project @param {{ linker: 'node-modules' | 'pnp', dependencies: object, program: string }} what */
async function byYarn4({ write, tool }, project, { linker, dependencies, program }) {
  write(project, { dependencies }, { 'app.js': program, 'yarn.lock': '', '.yarnrc.yml': yarnSettings(linker) });
  return tool('berry', ['install', '--mode=skip-build'], project);
}

/** @param {string} answer @param {string} fault */
const both = (answer, fault) => (fault === '' ? answer : `${answer}\n${fault}`);

/** @type {ManagerWay[]} */
const WAYS = [
  {
    title: 'npm: a peer, with strict peers',
    try: async ({ write, install, node }, project) => {
      write(project, {}, { 'app.js': asksPeer });
      await install(project, '--strict-peer-deps', `express@${ALIAS}`, 'has-peer@1.0.0');
      return node(project, ['app.js']);
    },
  },
  ...PNPMS.map(
    /** @returns {ManagerWay} */
    ({ tool: pnpm, name }) => ({
      title: `${name}: a peer, with strict peers`,
      tool: pnpm,
      try: async ({ write, tool, node }, project) => {
        write(project, { dependencies: PEER }, { 'app.js': asksPeer });
        const { output } = await tool(pnpm, [...PNPM_INSTALL, '--strict-peer-dependencies'], project);
        return both(await node(project, ['app.js']), faultIn(output, /unmet peer/));
      },
    }),
  ),
  ...PNPMS.map(
    /** @returns {ManagerWay} */
    ({ tool: pnpm, name }) => ({
      title: `${name}: overrides in pnpm-workspace.yaml, for two major versions at once`,
      tool: pnpm,
      try: async ({ write, tool, node }, project) => {
        const overrides = Object.entries(MAJORS).map(([from, to]) => `  '${from}': '${to}'\n`);
        const files = { 'app.js': asksBoth, 'pnpm-workspace.yaml': `overrides:\n${overrides.join('')}` };
        write(project, { dependencies: BOTH }, files);
        await tool(pnpm, PNPM_INSTALL, project);
        return node(project, ['app.js']);
      },
    }),
  ),
  {
    title: 'pnpm 10: overrides in package.json, for two major versions at once',
    tool: 'pnpm',
    try: async ({ write, tool, node }, project) => {
      write(project, { dependencies: BOTH, pnpm: { overrides: MAJORS } }, { 'app.js': asksBoth });
      await tool('pnpm', PNPM_INSTALL, project);
      return node(project, ['app.js']);
    },
  },
  {
    title: 'yarn 4: a peer',
    tool: 'berry',
    try: async ({ write, tool, node }, project) => {
      const { output } = await byYarn4({ write, tool }, project, {
        linker: 'node-modules',
        dependencies: PEER,
        program: asksPeer,
      });
      return both(await node(project, ['app.js']), faultIn(output, /YN0002|YN0060|YN0086/));
    },
  },
  {
    title: "yarn 4: Plug'n'Play, an alias",
    tool: 'berry',
    try: async ({ write, tool, node }, project) => {
      await byYarn4({ write, tool }, project, { linker: 'pnp', dependencies: { express: ALIAS }, program: asksFive });
      return node(project, ['--require', './.pnp.cjs', 'app.js']);
    },
  },
  {
    title: "yarn 4: Plug'n'Play, --require nonstop/register",
    tool: 'berry',
    try: async ({ write, tool, node }, project) => {
      await byYarn4({ write, tool }, project, {
        linker: 'pnp',
        dependencies: { express: '^5.0.0', nonstop: '^5.0.0' },
        program: asksFive,
      });
      return node(project, ['--require', './.pnp.cjs', '--require', 'nonstop/register', 'app.js']);
    },
  },
  ...PNPMS.map(
    /** @returns {ManagerWay} */
    ({ tool: pnpm, name }) => ({
      title: `${name}: the flag, where packages have Express 4 and 5`,
      tool: pnpm,
      try: async ({ write, tool, node }, project) => {
        write(project, { dependencies: { ...BOTH, nonstop: '^5.0.0' } }, { 'app.js': asksBoth });
        await tool(pnpm, PNPM_INSTALL, project);
        return node(project, ['--import', 'nonstop/register', 'app.js']);
      },
    }),
  ),
  {
    title: 'a monorepo: two packages with a copy each, in one process',
    try: async ({ write, install, node }, project) => {
      write(project, {}, { 'app.js': "require('./one/app.js'); require('./two/app.js');" });
      for (const name of ['one', 'two']) {
        const own = { ...project, folder: path.join(project.folder, name) };
        mkdirSync(own.folder);
        write(own, { name }, { 'app.js': asksFive });
        await install(own, `express@${ALIAS}`);
      }
      return node(project, ['app.js']);
    },
  },
];

/**
 * Ways that are a matter of where packages lie, and of the versions that they accept.
 * @param {Tools} tools
 */
export const managerWays = (tools) =>
  WAYS.map((way) => ({ ...way, try: (/** @type {Project} */ project) => way.try(tools, project) }));
