import fs = require('node:fs');
import { run } from '../support/command-line.js';
import { h2spec } from './h2spec.js';
import { http2Suite } from './http2-suite.js';
import { mochaSuite } from './mocha-suite.js';
import { nodeHttpTests } from './node-http.js';
import { serverSuite } from './server-suite.js';
import { printTable, type Suite } from './verdict.js';

const usage = `npm run conformance -- [--node-tests DIR] [--express DIR] [--express4 DIR] [--router DIR]
                       [--koa DIR] [--fastify DIR] [--hapi DIR] [--h2spec PROGRAM] [--over-http2 DIR] [--filter TEXT] [--jobs N]

  --node-tests DIR  a checkout of node's tests (the folder with parallel/, sequential/ and common/)
  --express DIR     a checkout of Express 5 with its dependencies installed
  --express4 DIR    a checkout of Express 4 with its dependencies installed
  --router DIR      a checkout of router 2 with its dependencies installed
  --koa DIR, --fastify DIR, --hapi DIR
                    checkouts of these at a released tag with their dependencies installed: their own tests with
                    nonstop/http/register in every process
  --h2spec PROGRAM  the built h2spec: its cases against node:http2 and against nonstop/http2
  --over-http2 DIR  a checkout of a middleware package with mocha and supertest 7: its servers made HTTP/2
  --filter TEXT     only test files whose name contains it
  --jobs N          processes at a time (2)

Nothing of these suites is part of this repository. Exit code 1 when something passes on the original alone, or when a
request was not served through the door that is tested.`;

const servers = ['koa', 'fastify', 'hapi'] as const;

/** Runs the test suites of other projects, first as they are and then on the engine, and prints the differences. */
void run(async ({ readCommandLine, whole }) => {
  const { values } = readCommandLine(usage, {
    'node-tests': { type: 'string' },
    express: { type: 'string' },
    express4: { type: 'string' },
    router: { type: 'string' },
    koa: { type: 'string' },
    fastify: { type: 'string' },
    hapi: { type: 'string' },
    h2spec: { type: 'string' },
    'over-http2': { type: 'string' },
    filter: { type: 'string' },
    jobs: { type: 'string' },
  });
  const { filter = '' } = values;
  const jobs = whole('jobs', values.jobs) ?? 2;
  const folders = ['node-tests', 'express', 'express4', 'router', 'over-http2', ...servers] as const;
  for (const name of folders) mustBeFolder(name, values[name]);
  if (values.h2spec === undefined && folders.every((name) => values[name] === undefined))
    throw new Error(`Name at least one suite\n\n${usage}`);
  const suites: (readonly [title: string, suite: Suite])[] = [];
  if (values['node-tests'] !== undefined) {
    suites.push([
      "node's test-http and test-https files",
      await nodeHttpTests({ folder: values['node-tests'], filter, jobs }),
    ]);
  }
  for (const name of ['express', 'express4', 'router'] as const) {
    const folder = values[name];
    if (folder !== undefined) suites.push([`the suite of ${name}`, await mochaSuite({ folder, filter, name })]);
  }
  for (const name of servers) {
    const folder = values[name];
    if (folder === undefined) continue;
    suites.push([`the suite of ${name} with nonstop/http/register`, await serverSuite({ folder, filter, name, jobs })]);
  }
  const over2 = values['over-http2'];
  if (over2 !== undefined) suites.push([`the suite of ${over2} over HTTP/2`, await http2Suite(over2, filter)]);
  if (values.h2spec !== undefined) suites.push(['h2spec', await h2spec(values.h2spec)]);
  let lost = 0;
  for (const [title, suite] of suites) lost += printTable(title, suite);
  process.exitCode = lost === 0 ? 0 : 1;
});

function mustBeFolder(option: string, folder: string | undefined): void {
  if (folder === undefined || fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Error(`--${option}: there is no folder ${folder}`);
}
