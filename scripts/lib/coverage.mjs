import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inPackage, inRoot } from './paths.mjs';
import { mustRunTool } from './run.mjs';

/** @typedef {{ folder: string, total: number, covered: number }} FolderLines */

/** Folders of packages/nonstop/src/ in which lines are counted; imported folders have their own tests. */
const counted = ['express', 'routing', 'body', 'files'];
/** The share of lines that tests must reach in each folder, in per cent. */
export const leastLines = 97;

/** The tests that run those lines; the packed package and the examples run dist/, which is not counted here. */
const suites = /^packages\/nonstop\/test\/(?:parity|express|routing|body|files|entry)\//;

/** @param {string} file as `testFiles` names it */
export const countsForCoverage = (file) => suites.test(file);

/** The compiled sources. */
const compiled = '.build/packages/nonstop/src';

/** Folder for the coverage data of the processes. */
const raw = inRoot('.build', 'coverage');

/**
 * Begins a covered run: processes with this environment, and their child processes, record the lines that they run.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function coveredEnv(env) {
  rmSync(raw, { recursive: true, force: true });
  return { ...env, NODE_V8_COVERAGE: raw };
}

/**
 * Counts the lines that ran since `coveredEnv`, including comment lines, because V8 does not distinguish them.
 * @returns {Promise<{ folders: FolderLines[], table: string }>} `table` lists the lines that were not reached
 * @throws {Error} when nothing was recorded
 */
export async function coverage() {
  const reports = inRoot('coverage');
  const reporters = ['--reporter', 'text', '--skip-full', '--reporter', 'json-summary', '--reports-dir', reports];
  const included = counted.flatMap((folder) => ['--include', `${compiled}/${folder}/**/*.js`]);
  const excluded = counted.flatMap(typesAlone).flatMap((file) => ['--exclude', file]);
  // `--all`: files that no test loads are counted too.
  const files = ['--all', '--src', inRoot(compiled), ...included, ...excluded];
  const { stdout } = await mustRunTool('c8', ['report', '--temp-directory', raw, ...reporters, ...files]);
  const summary = JSON.parse(readFileSync(path.join(reports, 'coverage-summary.json'), 'utf8'));
  return { folders: counted.map((folder) => linesOf(summary, folder)), table: stdout.trimEnd() };
}

/**
 * Compiled files with only types: they have no code to run, and a report would count them as unreached.
 * @param {string} folder
 */
function typesAlone(folder) {
  const below = path.join(compiled, folder);
  return readdirSync(inRoot(below), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(below, name))
    .filter((file) => {
      const statements = readFileSync(inRoot(file), 'utf8').replaceAll(/^\/\/.*$/gm, '');
      return /^\s*"use strict";\s*Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);\s*$/.test(
        statements,
      );
    });
}

/**
 * @param {Record<string, { lines: { total: number, covered: number } }>} summary by absolute path
 * @param {string} folder
 * @returns {FolderLines}
 */
function linesOf(summary, folder) {
  const below = inPackage('src', folder) + path.sep;
  const files = Object.entries(summary).filter(([file]) => file.startsWith(below));
  if (files.length === 0) throw new Error(`no line of src/${folder} was recorded`);
  const sum = (/** @type {'total' | 'covered'} */ what) => files.reduce((all, [, { lines }]) => all + lines[what], 0);
  return { folder: `src/${folder}`, total: sum('total'), covered: sum('covered') };
}
