// npm run lab: the board of budgets, the published studies, and an application of one's own under Express and Nonstop.
import { readFileSync } from 'node:fs';
import path from 'node:path';
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

npm run lab -- study query-api|echo|hello|getter|all [options]   a published study, at its published settings
  --contestants 'node:http,Express 5,Nonstop'   (default: all)
  --requests 10000        of each sample, for studies that count requests
  --generator ab          ab, autocannon, curl-multi or wrk (default: the study's own)

npm run lab -- app ./app.js [options]     an application of your own under its Express and under Nonstop, unchanged
  --path /                what is asked for
  --method GET
  --header 'name: value'  may be repeated
  --body-file FILE

Options of all:
  --node 20,24            majors of Node for the servers (default: the running one)
  --rounds 5              alternating rounds
  --seconds 4             of each sample
  --warmup 2              seconds of load before the first sample
  --connections 50        at once; a study takes levels, such as 10,100,1000
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
    contestants: { type: 'string' },
    requests: { type: 'string' },
    generator: { type: 'string' },
    path: { type: 'string', default: '/' },
    method: { type: 'string', default: 'GET' },
    header: { type: 'string', multiple: true, default: [] },
    'body-file': { type: 'string' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** @type {Record<string, () => Promise<number>>} */
const commands = { board, study, app };

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
  const options = {
    ...settings(),
    idle: positive('idle') ?? (values.quick ? 200 : 10_000),
    rows: values.row?.split(','),
    base: values.base,
    nodes: await nodes(),
  };
  const record = await attended((attendance) => labModule('board/board.js').board({ ...options, ...attendance }));
  const missed = record.verdicts.some((/** @type {{ verdict: string }} */ { verdict }) => verdict !== 'pass');
  return exitCode(record) || Number(missed && !values.quick);
}

async function study() {
  const [, name = 'all'] = positionals;
  const change = Object.entries({
    rounds: positive('rounds'),
    seconds: positive('seconds'),
    warmup: positive('warmup'),
    requests: positive('requests'),
    connections: levels(),
  }).filter(([, value]) => value !== undefined);
  const options = {
    nodes: await nodes(),
    quick: values.quick,
    change: Object.fromEntries(change),
    contestants: values.contestants?.split(','),
    generator: values.generator,
  };
  let code = 0;
  for (const chosen of labModule('study/studies.js').chooseStudies(name)) {
    const record = await attended((attendance) =>
      labModule('study/study.js').runStudy(chosen, { ...options, ...attendance }),
    );
    code ||= exitCode(record);
    if (record.ended === 'interrupted') break;
  }
  return code;
}

async function app() {
  const [, file] = positionals;
  if (file === undefined) throw new Error('lab -- app needs the file of an application');
  const headers = Object.fromEntries(values.header.map(field));
  const bodyFile = values['body-file'];
  const body = bodyFile === undefined ? undefined : readFileSync(fromCaller(bodyFile), 'utf8');
  const [node] = await nodes();
  const request = { method: values.method.toUpperCase(), path: values.path, headers, body };
  const options = { ...settings(), file: fromCaller(file), request, node };
  return exitCode(await attended((attendance) => labModule('app/app.js').compareApp({ ...options, ...attendance })));
}

/** npm runs a script in the repository, and says where it was called. @param {string} file */
function fromCaller(file) {
  return path.resolve(process.env['INIT_CWD'] ?? '.', file);
}

/** @param {string} line */
function field(line) {
  const [, name, value] = /^([^\s:]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`--header takes 'name: value', not '${line}'`);
  return [name, value];
}

function settings() {
  const usual = values.quick
    ? { rounds: 1, seconds: 0.3, warmup: 0.2, connections: 10, settled: 200 }
    : { rounds: 5, seconds: 4, warmup: 2, connections: 50 };
  const [connections = usual.connections] = levels() ?? [];
  return {
    ...usual,
    rounds: positive('rounds') ?? usual.rounds,
    seconds: positive('seconds') ?? usual.seconds,
    warmup: positive('warmup') ?? usual.warmup,
    connections,
  };
}

function levels() {
  const { connections } = values;
  const numbers = connections?.split(',').map(Number);
  if (numbers?.every((number) => Number.isInteger(number) && number > 0) ?? true) return numbers;
  throw new Error(`--connections takes whole numbers, such as 10,100, not '${connections}'`);
}

function nodes() {
  return Promise.all(values.node.split(',').map((major) => nodeBinary(major, console.log)));
}

/** @param {'rounds' | 'seconds' | 'warmup' | 'idle' | 'requests'} name */
function positive(name) {
  const text = values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} takes a positive number, not '${text}'`);
  return value;
}
