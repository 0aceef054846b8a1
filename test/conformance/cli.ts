import { parseArgs } from 'node:util';
import { mochaSuite } from './mocha-suite.js';
import { nodeHttpTests } from './node-http.js';
import { printTable, type Verdict } from './verdict.js';

const USAGE = `npm run conformance -- [--node-tests DIR] [--express DIR] [--router DIR] [--filter TEXT] [--jobs N]

  --node-tests DIR  a checkout of node's tests (the folder with parallel/, sequential/ and common/)
  --express DIR     a checkout of Express 5 with its dependencies installed
  --router DIR      a checkout of router 2 with its dependencies installed
  --filter TEXT     only test files whose name contains it
  --jobs N          processes at a time (2)

Nothing of these suites is part of this repository. Exit code 1 when something passes on the original alone.`;

/** Runs other projects' own test suites, first as they are and then on the engine, and prints where the two differ. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'node-tests': { type: 'string' },
      express: { type: 'string' },
      router: { type: 'string' },
      filter: { type: 'string', default: '' },
      jobs: { type: 'string', default: '2' },
    },
  });
  const { filter } = values;
  const jobs = Number(values.jobs);
  const suites: (readonly [title: string, verdicts: Verdict[]])[] = [];
  if (values['node-tests'] !== undefined) {
    suites.push([
      "node's test-http and test-https files",
      await nodeHttpTests({ folder: values['node-tests'], filter, jobs }),
    ]);
  }
  for (const name of ['express', 'router'] as const) {
    const folder = values[name];
    if (folder !== undefined) suites.push([`the suite of ${name}`, await mochaSuite({ folder, filter, name })]);
  }
  if (suites.length === 0) {
    console.log(USAGE);
    process.exitCode = 2;
    return;
  }
  let lost = 0;
  for (const [title, verdicts] of suites) lost += printTable(title, verdicts);
  process.exitCode = lost === 0 ? 0 : 1;
}

void main();
