import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inPackage, inRoot } from '../../../scripts/lib/paths.mjs';
import { run } from '../../../scripts/lib/run.mjs';
import { differences } from './compare.mjs';
import { withService } from './services.mjs';

/**
 * @typedef {import('./rows.mjs').Row} Row
 * @typedef {import('./compare.mjs').Side} Side
 * @typedef {{ verdict: 'equal' | 'differs' | 'not tried', express?: string, requests?: number, reasons?: string[] }} Result
 */

const host = inRoot('packages', 'ecosystem', 'child', 'host.cjs');
const sides = /** @type {const} */ (['express', 'nonstop']);
/** The time of a program's files, which fields such as Last-Modified depend on. */
const long = new Date(Date.UTC(2025, 5, 1));

/**
 * Runs a row on Express and then on Nonstop, in the same folder.
 * @param {Row} row
 * @param {string} installed the folder with the node_modules of its packages
 * @param {{ env?: Record<string, string>, keep?: boolean }} [options] `env`: more for Nonstop's side; `keep`: keeps the transcripts of both sides
 * @returns {Promise<Result>}
 */
export async function play(row, installed, { env = {}, keep = false } = {}) {
  const folder = path.join(installed, 'programs', row.name);
  const sideOf = (/** @type {typeof sides[number]} */ side, /** @type {Record<string, string>} */ more) =>
    withService(row.service, (where) => playSide(row, folder, side, { ...where, ...more }));
  let theirs, ours;
  try {
    theirs = await sideOf('express', {});
    if (theirs.error !== undefined)
      return { verdict: 'not tried', reasons: [`on Express: ${firstLines(theirs.error)}`] };
    if (failsAlways(theirs)) return { verdict: 'not tried', reasons: ['on Express: each answer is 5xx'] };
    ours = await sideOf('nonstop', env);
  } catch (error) {
    return { verdict: 'not tried', reasons: [`its ${row.service}: ${firstLines(String(error))}`] };
  }
  const found = differences(theirs, ours, row);
  if (keep)
    for (const [place, side] of [theirs, ours].entries())
      writeFileSync(
        path.join(installed, 'programs', `${row.name}.${sides[place]}.json`),
        JSON.stringify(side, null, 2),
      );
  else rmSync(folder, { recursive: true, force: true });
  const result = { express: theirs.express.join(', '), requests: ours.served.engine };
  return found.length === 0 ? { verdict: 'equal', ...result } : { verdict: 'differs', ...result, reasons: found };
}

/**
 * @param {Row} row
 * @param {string} folder
 * @param {'express' | 'nonstop'} side
 * @param {Record<string, string>} more
 * @returns {Promise<Side>}
 */
async function playSide(row, folder, side, more) {
  prepare(row, folder);
  const output = `${folder}.${side}.out`;
  rmSync(output, { force: true });
  const register = pathToFileURL(inPackage('dist', 'entry', 'register.mjs')).href;
  const preload = side === 'nonstop' ? ['--import', register] : [];
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...inherited } = process.env;
  // View engines are resolved from the framework's folder, which differs from the program's here.
  const NODE_PATH = path.join(folder, '..', '..', 'node_modules');
  const env = {
    ...inherited,
    NODE_PATH,
    NODE_ENV: 'production',
    NONSTOP_REGISTER: 'quiet',
    TZ: 'UTC',
    ...row.env,
    ...more,
  };
  const args = [...preload, host, path.join(folder, 'program.js'), output];
  const outcome = await run(process.execPath, args, { cwd: folder, env, seconds: row.seconds ?? 60 });
  if (existsSync(output)) {
    const written = /** @type {Side} */ (JSON.parse(readFileSync(output, 'utf8')));
    rmSync(output);
    return written;
  }
  const error = `the process ended (${outcome.code ?? outcome.signal}) without a result: ${outcome.output.trim().slice(-1500)}`;
  return { transcript: [], served: { engine: 0, 'node:http': 0 }, express: [], error };
}

/** Prepares the program's folder, the same for both sides. @param {Row} row @param {string} folder */
function prepare({ file, files = {} }, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(file, path.join(folder, 'program.js'));
  for (const [name, text] of Object.entries(files)) {
    const target = path.join(folder, name);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
    utimesSync(target, long, long);
  }
}

/** Whether every answer is 5xx: two equal failures show nothing about a package. @param {Side} side */
const failsAlways = ({ transcript }) =>
  transcript.length > 0 && transcript.every((entry) => 'status' in entry && /^HTTP\S+ 5/.test(entry.status));

/** @param {string} text */
const firstLines = (text) => text.split('\n').slice(0, 3).join(' ').replace(/\s+/g, ' ').slice(0, 240);
