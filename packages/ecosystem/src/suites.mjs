import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seconds } from '../../../scripts/lib/checks.mjs';
import { inPackage, inRoot } from '../../../scripts/lib/paths.mjs';
import { npm, run } from '../../../scripts/lib/run.mjs';
import { readers } from './suite-results.mjs';
import { suites } from './suite-list.mjs';

/** Time limit of a suite; the slowest need two minutes on a quiet machine. */
const limitSeconds = 600;
const preload = inRoot('packages', 'ecosystem', 'child', 'suite-preload.cjs');
const entry = inPackage('dist', 'entry');

/**
 * Runs suites of a folder of checkouts, each unchanged and then with Nonstop.
 * @param {string} from
 * @param {string[]} names the suites (default: all that are there)
 * @returns {Promise<{ lines: Record<string, import('./table.mjs').SuiteLine>, untried: string[] }>} `untried`: suites that could not be run
 */
export async function runSuites(from, names) {
  const unknown = names.find((name) => !(name in suites));
  if (unknown !== undefined) throw new Error(`Unknown suite: ${unknown}; use ${Object.keys(suites).join(', ')}`);
  const there = Object.keys(suites).filter((name) =>
    existsSync(path.join(from, suites[name].from ?? name, 'package.json')),
  );
  const chosen = names.length === 0 ? there : names;
  if (chosen.length === 0) throw new Error(`--from: ${from} holds no checkout of ${Object.keys(suites).join(', ')}`);
  /** @type {Record<string, import('./table.mjs').SuiteLine>} */
  const lines = {};
  const untried = [];
  console.log(
    `${chosen.length} suites, each twice; up to ${(2 * limitSeconds) / 60} minutes for one, most take seconds.`,
  );
  for (const name of chosen) {
    const started = performance.now();
    try {
      const { line, lost } = await runSuite(name, path.resolve(from));
      lines[name] = line;
      const good = line.own === line.ours && line.engine > 0 && (line.other === 0 || line.note !== undefined);
      const told = `${line.ours} of ${line.own} tests, ${line.engine} requests by the engine, ${line.other} by node:http`;
      console.log(
        `${good ? 'ok   ' : 'DIFF '} ${name} ${line.version}  ${told}${line.note ? ` (${line.note})` : ''}  ${seconds(started)}`,
      );
      for (const title of lost.slice(0, 8)) console.log(`      ${title}`);
    } catch (error) {
      console.log(`–     ${name}  not tried: ${reasonOf(error)}  ${seconds(started)}`);
      untried.push(name);
    }
  }
  return { lines, untried };
}

/** @param {unknown} error @returns {string} the line that names an error, or else the last */
function reasonOf(error) {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split('\n');
  return (lines.find((line) => /\w*Error\b.*: /.test(line)) ?? lines[lines.length - 1]).trim().slice(0, 200);
}

/** @param {string} name @param {string} from */
async function runSuite(name, from) {
  const suite = suites[name];
  const checkout = path.join(from, suite.from ?? name);
  const folder = path.join(checkout, suite.folder ?? '');
  if (!existsSync(path.join(checkout, 'node_modules'))) {
    console.log(`...   installing what the tests of ${name} need`);
    await npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', '--force'], { cwd: checkout });
  }
  for (const [program, ...args] of suite.build ?? [])
    // Failures are ignored: a compiler still writes its files after an error of types, and the tests report missing ones.
    await run(process.execPath, [programOf(program, [folder, checkout]), ...args], { cwd: folder });
  const work = mkdtempSync(path.join(tmpdir(), 'ecosystem-'));
  try {
    const own = await results(suite, folder, path.join(work, 'own'), {});
    const tally = path.join(work, 'tally');
    const ours = await results(suite, folder, path.join(work, 'ours'), {
      ECOSYSTEM_TALLY: tally,
      ECOSYSTEM_NONSTOP: entry,
    });
    const kept = both(own, ours);
    const { version } = JSON.parse(readFileSync(path.join(folder, suite.versionOf ?? '', 'package.json'), 'utf8'));
    const { engine, other, note } = tallied(tally);
    const line = {
      version,
      node: process.versions.node,
      own: own.length,
      ours: kept.length,
      engine,
      other,
      ...(note && { note }),
    };
    return { line, lost: own.filter((title) => !kept.includes(title)) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string[]} own @param {string[]} ours titles; several tests may have one @returns {string[]} those of `own` that are in `ours` */
function both(own, ours) {
  const left = new Map();
  for (const title of ours) left.set(title, (left.get(title) ?? 0) + 1);
  return own.filter((title) => {
    const count = left.get(title) ?? 0;
    left.set(title, count - 1);
    return count > 0;
  });
}

/**
 * @param {import('./suite-list.mjs').Suite} suite @param {string} folder @param {string} file for the runner's report
 * @param {Record<string, string>} env if given, Nonstop is loaded into every process
 * @returns {Promise<string[]>} the titles of the tests that passed
 */
async function results(suite, folder, file, env) {
  const { program, args, read } = readers[suite.runner];
  const options = [suite.env?.['NODE_OPTIONS'], ...('ECOSYSTEM_NONSTOP' in env ? [`--require ${preload}`] : [])];
  const { NODE_OPTIONS: _, CI: __, ...inherited } = process.env;
  const whole = {
    ...inherited,
    NODE_ENV: 'test',
    NO_COLOR: '1',
    ...suite.env,
    ...env,
    NODE_OPTIONS: options.filter(Boolean).join(' '),
  };
  const start = program === undefined ? [] : [programOf(program, [folder, path.join(folder, '../..')])];
  const alias = 'ECOSYSTEM_NONSTOP' in env ? (readers[suite.runner].alias?.(path.join(entry, 'jest.js')) ?? []) : [];
  const { output, stdout } = await run(
    process.execPath,
    [...start, ...args(file), ...suite.args.flatMap((arg) => named(folder, arg)), ...alias],
    { cwd: folder, env: whole, seconds: limitSeconds },
  );
  if (/\(killed after \d+ s\)/.test(output)) throw new Error(`${suite.runner} did not end within ${limitSeconds} s`);
  const passed = existsSync(file) ? read(readFileSync(file, 'utf8')) : read(stdout);
  if (passed.length === 0) throw new Error(`${suite.runner} reported no passed test: ${output.trim()}`);
  return passed;
}

/**
 * Replaces a pattern such as `test/*.x` by the files that it matches: Node 20's runner does not support patterns. One with `**` stays.
 * @param {string} folder @param {string} arg @returns {string[]}
 */
function named(folder, arg) {
  const [, place, end] = /^([^*]*)\/\*(.*)$/.exec(arg) ?? [];
  if (place === undefined || end.startsWith('*')) return [arg];
  const names = readdirSync(path.join(folder, place)).filter((name) => name.endsWith(end));
  return names.sort().map((name) => path.join(place, name));
}

/** @param {string} name @param {string[]} folders @returns {string} the file that a package's command runs */
function programOf(name, folders) {
  const packageName = { tsc: 'typescript', babel: '@babel/cli' }[name] ?? name;
  const home = folders.map((folder) => path.join(folder, 'node_modules', packageName)).find((each) => existsSync(each));
  if (home === undefined) throw new Error(`${packageName} is not installed there`);
  const { bin } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
  return path.join(home, typeof bin === 'string' ? bin : bin[path.basename(name)]);
}

/**
 * Known reasons why a suite's server stays with node: its own message classes, a lenient parser, another listener for
 * connections, HTTP/1.1 on a server of node:http2.
 */
const mayBeLeft = ['message-classes', 'lenient-parser', 'listener-replaced', 'not-a-server'];

/** @param {string} file */
function tallied(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const left = lines.filter((line) => line !== 'engine');
  const reasons = [...new Set(left.map((line) => line.replace('node:http', '').trim()))];
  const told = reasons.length > 0 && reasons.every((reason) => mayBeLeft.includes(reason));
  const note = told ? `left to node: ${reasons.join(', ')}` : '';
  return { engine: lines.length - left.length, other: left.length, note };
}
