// npm run agents: compares what monitoring agents report for the same application on Express and on Nonstop, for each way
// of loading.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { agents, otlpSpans } from './agents.mjs';
import { requests } from './program.mjs';
import { home, install, makeProjects } from './projects.mjs';
import { expectedTrees, instrumented, recipe, treeOf } from './recipe.mjs';
import { watch, withoutCollector } from './watch.mjs';
import { Checks } from '../../../scripts/lib/checks.mjs';
import { list, readCommandLine } from '../../../scripts/lib/command-line.mjs';
import { main } from '../../../scripts/lib/main.mjs';
import { nodeBinary, runningNode } from '../../../scripts/lib/nodes.mjs';
import { setup } from '../../../scripts/lib/setup.mjs';

const known = [...Object.keys(agents), 'recipe'];
const usage = `npm run agents                             each agent in front of a collector, on Express 5 and on Nonstop
npm run agents -- --only sentry,datadog    some of: ${known.join(', ')}
npm run agents -- --nodes 20,22,24,26      on each of these majors (default: the running Node)
npm run agents -- --express 4              Express 4.22 and nonstop/v4
npm run agents -- --show                   the spans of Express, too
Agents are installed into .build/agents, from the registry. One that cannot be installed is named as not tried.`;

/** @typedef {import('./agents.mjs').Agent} Agent */

/**
 * The differences of two lists.
 * @param {string[]} expected
 * @param {string[]} found
 */
function difference(expected, found) {
  const left = [...expected];
  const more = found.filter((span) => {
    const at = left.indexOf(span);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return [...left.map((span) => `- ${span}`), ...more.map((span) => `+ ${span}`)];
}

/** @param {string[]} expected @param {{ spans: string[], served: Record<string, number>, said: string }} outcome */
function assertSame(expected, { spans, served, said }) {
  const differs = [...difference(expected, spans), ...doorOf(served)];
  if (differs.length > 0) throw new Error(`${differs.join('\n')}\n${said}`);
}

/** @param {Record<string, number>} served */
const doorOf = (served) =>
  served['engine'] === requests.length ? [] : [`the engine was to serve ${requests.length}: ${JSON.stringify(served)}`];

/** @typedef {import('../../../scripts/lib/nodes.mjs').NodeBinary} NodeBinary */
/** @typedef {{ checks: Checks, node: NodeBinary, shows: boolean }} Run */

const systems = /** @type {const} */ ({ cjs: 'CommonJS', esm: 'ES modules' });
const kinds = /** @type {('cjs' | 'esm')[]} */ (Object.keys(systems));

/** @param {Agent} agent */
function versionOf({ packages: [name] }) {
  const manifest = path.join(home, 'node_modules', name, 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** @param {Run} run @param {Agent} agent */
async function tryAgent({ checks, node, shows }, agent) {
  const title = `Node ${node.major}, ${agent.title} ${versionOf(agent)}`;
  for (const system of kinds) {
    const modules = systems[system];
    const expected = await checks.check(`${title}, ${modules}: it tells of Express`, async () => {
      const { spans, said } = await watch(agent, { way: 'express', system, node: node.path });
      if (spans.length === 0) throw new Error(`it tells nothing\n${said}`);
      return spans;
    });
    if (expected === undefined) continue;
    if (shows) checks.say(expected.join('\n'));
    for (const way of ['register', 'alias']) {
      await checks.check(`${title}, ${modules}, ${way}: the same ${expected.length} lines`, async () =>
        assertSame(expected, await watch(agent, { way, system, node: node.path })),
      );
    }
  }
  await checks.check(`${title}: without its collector the answers are those of Express`, async () => {
    const how = { system: kinds[0], node: node.path };
    const express = await withoutCollector(agent, { ...how, way: 'express' });
    const { answers, served, said } = await withoutCollector(agent, { ...how, way: 'register' });
    const differs = [...difference(express.answers, answers), ...doorOf(served)];
    if (differs.length > 0) throw new Error(`${differs.join('\n')}\n${said}`);
  });
}

/** The recipe of docs/guide/tracing.md: the spans of requests are those of OpenTelemetry's instrumentations. @param {Run} run */
async function tryRecipe({ checks, node, shows }) {
  const title = `Node ${node.major}, ${recipe().title}`;
  for (const system of kinds) {
    for (const way of ['register', 'alias']) {
      await checks.check(`${title}, ${systems[system]}, ${way}: requests as instrumented, handlers below`, async () => {
        const how = { system, node: node.path };
        const expected = await watch(instrumented(), { ...how, way: 'express' });
        const own = await watch(recipe(), { ...how, way });
        assertSame(expected.spans, own);
        const spans = otlpSpans(own.received);
        if (shows) checks.say(own.spans.join('\n'));
        for (const [name, tree] of Object.entries(expectedTrees)) {
          const found = treeOf(spans, name);
          if (found !== tree) throw new Error(`the spans are\n${found}\nand not\n${tree}`);
        }
      });
    }
  }
}

await main(async () => {
  const { values } = readCommandLine(usage, {
    only: { type: 'string' },
    express: { type: 'string', default: '5' },
    nodes: { type: 'string' },
    show: { type: 'boolean', default: false },
  });
  const only = list('only', values.only) ?? known;
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown agent: ${unknown}`);
  if (values.express !== '4' && values.express !== '5') throw new Error(`Not 4 or 5: --express ${values.express}`);
  const nodes = [];
  for (const major of list('nodes', values.nodes) ?? [runningNode.major])
    nodes.push(await nodeBinary(major, console.log));
  await setup(console.log);
  await makeProjects(values.express === '4' ? 4 : 5);
  const checks = new Checks();
  const failed = await installAgents(only.map((name) => (name === 'recipe' ? 'opentelemetry' : name)));
  for (const name of only) {
    const reason = failed.get(name === 'recipe' ? 'opentelemetry' : name);
    if (reason === undefined) continue;
    checks.skipped++;
    checks.say(`not tried: ${name}: npm cannot install it (${reason})`);
  }
  for (const node of nodes) {
    const run = { checks, node, shows: Boolean(values.show) };
    for (const name of only) {
      if (name === 'recipe' && !failed.has('opentelemetry')) await tryRecipe(run);
      else if (name !== 'recipe' && !failed.has(name)) await tryAgent(run, agents[name]);
    }
  }
  checks.close();
});

/**
 * Installs agents together, or one after another if that fails.
 * @param {string[]} names
 * @returns {Promise<Map<string, string>>} those that cannot be installed, each with its reason
 */
async function installAgents(names) {
  const packagesOf = (/** @type {string[]} */ some) => [...new Set(some.flatMap((name) => agents[name].packages))];
  const failed = new Map();
  try {
    // All of them: another choice of agents finds them installed.
    await install(home, packagesOf(Object.keys(agents)));
  } catch {
    /** @type {string[]} */
    const there = [];
    for (const name of new Set(names)) {
      try {
        await install(home, packagesOf([...there, name]));
        there.push(name);
      } catch (error) {
        failed.set(name, String(error).split('\n')[0]);
      }
    }
  }
  return failed;
}
