// npm run lab: the board of budgets, the published studies, and an application of one's own under Express and Nonstop.
import { parseArgs } from 'node:util';
import { compile, compilePackage } from './lib/compile.mjs';
import { attended, exitCode, labModule } from './lib/head-to-head.mjs';
import { nodeBinary, runningNode } from './lib/nodes.mjs';
import { main } from './lib/main.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run lab -- board [options]     every workload with its budget: pass or miss
  --row hello,echo        rows (default: all)
  --base REVISION         compare this checkout with that commit instead of with other servers
  --idle 10000            connections of the idle row

npm run lab -- OPTIONS
  --node 20,24            majors of Node for the servers (default: the running one)
  --rounds 5              alternating rounds
  --seconds 4             of each sample
  --warmup 2              seconds of load before the first sample
  --connections 50        at once
  --quick                 proves that everything runs; its numbers mean little`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    row: { type: 'string' },
    base: { type: 'string' },
    idle: { type: 'string' },
    node: { type: 'string', default: runningNode.major },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    warmup: { type: 'string' },
    connections: { type: 'string' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** @type {Record<string, () => Promise<number>>} */
const commands = { board };

await main(async () => {
  const [name] = positionals;
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (values.help || name === undefined) return console.log(usage);
  if (command === undefined) throw new Error(`There is no '${name}' in the lab.\n\n${usage}`);
  await setup(console.log);
  await compilePackage();
  await compile('bench/tsconfig.json');
  process.exitCode = await command();
});

/** Exit code 1 says that a budget is missed, unless the numbers are those of a quick run. */
async function board() {
  const usual = values.quick
    ? { rounds: 1, seconds: 0.3, warmup: 0.2, connections: 10, idle: 200 }
    : { rounds: 5, seconds: 4, warmup: 2, connections: 50, idle: 10_000 };
  const options = {
    rounds: positive('rounds') ?? usual.rounds,
    seconds: positive('seconds') ?? usual.seconds,
    warmup: positive('warmup') ?? usual.warmup,
    connections: positive('connections') ?? usual.connections,
    idle: positive('idle') ?? usual.idle,
    rows: values.row?.split(','),
    base: values.base,
    nodes: await nodes(),
  };
  const record = await attended((attendance) => labModule('board/board.js').board({ ...options, ...attendance }));
  const missed = record.verdicts.some((/** @type {{ verdict: string }} */ { verdict }) => verdict !== 'pass');
  return exitCode(record) || Number(missed && !values.quick);
}

function nodes() {
  return Promise.all(values.node.split(',').map((major) => nodeBinary(major, console.log)));
}

/** @param {'rounds' | 'seconds' | 'warmup' | 'connections' | 'idle'} name */
function positive(name) {
  const text = values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} takes a positive number, not '${text}'`);
  return value;
}
