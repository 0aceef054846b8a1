// npm run help: every command, one line each.
import { readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';

/** @type {Record<string, string>} by the name in package.json */
const purposes = {
  start: 'compare node:http, Express 5 and Nonstop for half a minute, then serve the example application',
  test: 'build and check everything; `npm test -- --help` shows how to run a part',
  build: 'build the package, the lab and the tests; `-- --express4 FOLDER` writes nonstop@4',
  lint: 'oxlint over everything',
  'lint:imports': 'the rules for imports and for loaded modules: dependency-cruiser',
  'lint:unused': 'unused exports, files and dependencies: knip',
  'lint:workflows': 'actionlint over .github/workflows (needs Go, and a network once)',
  format: 'oxfmt over everything; it writes',
  lab: 'measure: board, study, scale, frontier, app, workers, way-in, crud, report; `npm run lab` shows how',
  compare: 'rows of the comparison of `npm start`, for figures to publish',
  fuzz: 'random requests to the engine and to node:http',
  'fuzz:apps': 'random applications on Express and on Nonstop',
  'fuzz:programs': 'random programs of handlers and clients on node:http and on the engine',
  'fuzz:streams': 'random programs over HTTP/2, compared with node:http over HTTP/1',
  fleet: 'processes of workers behind HAProxy with sessions in Valkey: replaced, restarted, killed, overloaded',
  soak: 'hundreds of misbehaving clients; no answer may be lost, no resource may leak',
  conformance: "node's own server tests through the engine, from a checkout of node",
  'pack:lab': 'the package nonstop-lab, which measures an application without this repository',
  docs: 'serve the site of docs/ with live updates',
  'docs:build': 'write the files of the site; fails on a broken link',
  release: 'set the version of the package, and in CHANGELOG.md',
  'release:check': 'check that a tag, package.json and CHANGELOG.md agree',
  figures: 'fill the figures of README.md and the site from a record of `npm run lab -- board`',
  studies: 'fill the tables of docs/guide/studies.md from records of `npm run lab -- study`',
  examples: 'examples with heavy packages (nest, next, vite, …): installed below .build/ and tested',
  'ways-in': 'every way to replace Express by Nonstop, each tested in an empty project',
  ecosystem:
    "packages of Express's ecosystem, unmodified, on Express and on Nonstop, compared; each installed on demand",
  agents: 'compare what OpenTelemetry, Datadog, New Relic, Elastic and Sentry report on Express and on Nonstop',
  prepack: 'run by npm: refuses to pack the whole repository',
  help: 'this list',
};

const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
const width = Math.max(...Object.keys(scripts).map((name) => name.length));
for (const name of Object.keys(scripts)) {
  if (purposes[name] === undefined) process.exitCode = 1;
  console.log(`  npm run ${name.padEnd(width)}  ${purposes[name] ?? 'has no line in scripts/help.mjs'}`);
}
