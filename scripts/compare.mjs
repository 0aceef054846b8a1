// npm run compare: chosen rows, rounds and Nodes of the head-to-head, for figures that are meant to be kept.
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
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
  --generator autocannon  although wrk is installed`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    node: { type: 'string', default: runningNode.major },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '2' },
    connections: { type: 'string', default: '50' },
    generator: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

await main(async () => {
  if (values.help) {
    console.log(usage);
    return;
  }
  await setup(console.log);
  await compilePackage();
  await compile('bench/tsconfig.json');
  const record = await headToHead({
    rows: values.rows?.split(',') ?? everyScenario(),
    nodes: await Promise.all(values.node.split(',').map((major) => nodeBinary(major, console.log))),
    rounds: positive('rounds'),
    seconds: positive('seconds'),
    warmup: positive('warmup'),
    connections: positive('connections'),
    generator: generator(),
  });
  process.exitCode = exitCode(record);
});

function everyScenario() {
  return readdirSync(inRoot('bench/scenarios')).map((name) => name.replace(/\.js$/, ''));
}

/** @param {'rounds' | 'seconds' | 'warmup' | 'connections'} name */
function positive(name) {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} takes a positive number, not '${values[name]}'`);
  return value;
}

function generator() {
  const { generator: name } = values;
  if (name === undefined || name === 'wrk' || name === 'autocannon') return name;
  throw new Error(`--generator takes wrk or autocannon, not '${name}'`);
}
