// npm run agents: compares what monitoring agents report for the same application on Express and on Nonstop, for each way
// of loading.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { agents } from './agents/agents.mjs';
import { requests } from './agents/program.mjs';
import { home, install, makeProjects } from './agents/projects.mjs';
import { watch } from './agents/watch.mjs';
import { Checks } from './lib/checks.mjs';
import { list, readCommandLine } from './lib/command-line.mjs';
import { main } from './lib/main.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run agents                             each agent in front of a collector, on Express 5 and on Nonstop
npm run agents -- --only sentry,datadog    some of: ${Object.keys(agents).join(', ')}
npm run agents -- --express 4              Express 4.22 and nonstop/v4
npm run agents -- --show                   the spans of Express, too
Agents are installed into .build/agents, from the registry. One that cannot be installed is named as not tried.`;

/** @typedef {import('./agents/agents.mjs').Agent} Agent */

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

/** @param {Agent} agent @param {'cjs' | 'esm'} system @param {{ way: string, expected: string[] }} what */
async function compare(agent, system, { way, expected }) {
  const { spans, served, said } = await watch(agent, way, system);
  const differs = difference(expected, spans);
  if (served['engine'] !== requests.length)
    differs.push(`the engine was to serve ${requests.length}: ${JSON.stringify(served)}`);
  if (differs.length > 0) throw new Error(`${differs.join('\n')}\n${said}`);
}

/** @param {Checks} checks @param {Agent} agent @param {boolean} shows the spans of Express */
async function tryAgent(checks, agent, shows) {
  try {
    await install(
      home,
      Object.values(agents).flatMap(({ packages }) => packages),
    );
  } catch (error) {
    checks.skipped++;
    checks.say(`not tried: ${agent.title}: npm cannot install it (${String(error).split('\n')[0]})`);
    return;
  }
  const manifest = path.join(home, 'node_modules', agent.packages[0], 'package.json');
  const title = `${agent.title} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
  for (const system of /** @type {const} */ (['cjs', 'esm'])) {
    const modules = system === 'cjs' ? 'CommonJS' : 'ES modules';
    const expected = await checks.check(`${title}, ${modules}: it tells of Express`, async () => {
      const { spans, said } = await watch(agent, 'express', system);
      if (spans.length === 0) throw new Error(`it tells nothing\n${said}`);
      return spans;
    });
    if (expected === undefined) continue;
    if (shows) checks.say(expected.join('\n'));
    for (const way of ['register', 'alias']) {
      await checks.check(`${title}, ${modules}, ${way}: the same ${expected.length} lines`, () =>
        compare(agent, system, { way, expected }),
      );
    }
  }
}

await main(async () => {
  const { values } = readCommandLine(usage, {
    only: { type: 'string' },
    express: { type: 'string', default: '5' },
    show: { type: 'boolean', default: false },
  });
  const only = list('only', values.only) ?? Object.keys(agents);
  const unknown = only.find((name) => agents[name] === undefined);
  if (unknown !== undefined) throw new Error(`Unknown agent: ${unknown}`);
  if (values.express !== '4' && values.express !== '5') throw new Error(`Not 4 or 5: --express ${values.express}`);
  await setup(console.log);
  await makeProjects(values.express === '4' ? 4 : 5);
  const checks = new Checks();
  for (const name of only) await tryAgent(checks, agents[name], Boolean(values.show));
  checks.close();
});
