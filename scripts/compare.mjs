// npm run compare: chosen rows, rounds and Nodes of the head-to-head, for figures to publish.
import { readdirSync } from 'node:fs';
import { list, positive, readCommandLine, whole } from './lib/command-line.mjs';
import { compile, compilePackage } from './lib/compile.mjs';
import { exitCode, headToHead } from './lib/head-to-head.mjs';
import { nodeBinary, runningNode } from './lib/nodes.mjs';
import { inRoot } from './lib/paths.mjs';
import { main } from './lib/main.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run compare -- [options]
  --rows hello,echo       scenarios (default: all)
  --node 20,24            majors of Node for the servers (default: the running one)
  --rounds 5              alternating rounds
  --seconds 4             of each sample
  --warmup 2              seconds of load before the first sample
  --connections 50        kept alive, one request at a time each
  --generator autocannon  even if wrk is installed`;

await main(async () => {
  const { values } = readCommandLine(usage, {
    rows: { type: 'string' },
    node: { type: 'string', default: runningNode.major },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    warmup: { type: 'string' },
    connections: { type: 'string' },
    generator: { type: 'string' },
  });
  const majors = list('node', values.node) ?? [];
  const options = {
    rows: list('rows', values.rows) ?? everyScenario(),
    rounds: whole('rounds', values.rounds) ?? 5,
    seconds: positive('seconds', values.seconds) ?? 4,
    warmup: positive('warmup', values.warmup) ?? 2,
    connections: whole('connections', values.connections) ?? 50,
    generator: generatorNamed(values.generator),
  };
  await setup(console.log);
  await compilePackage();
  await compile('packages/lab/tsconfig.json');
  const nodes = await Promise.all(majors.map((major) => nodeBinary(major, console.log)));
  process.exitCode = exitCode(await headToHead({ ...options, nodes }));
});

function everyScenario() {
  return readdirSync(inRoot('packages/lab/scenarios')).map((name) => name.replace(/\.js$/, ''));
}

/** @param {string | undefined} name @returns {'wrk' | 'autocannon' | undefined} */
function generatorNamed(name) {
  if (name === undefined || name === 'wrk' || name === 'autocannon') return name;
  throw new Error(`--generator needs wrk or autocannon, got '${name}'`);
}
