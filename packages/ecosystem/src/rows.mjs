import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inRoot } from '../../../scripts/lib/paths.mjs';

/**
 * The exports of a file of programs/.
 * @typedef {object} Program
 * @property {string[]} wants packages that are installed for it, such as 'cors' or 'express@4'. The first one is the row's own
 * @property {string} about what is exercised, for the table
 * @property {string} [folder] where they are installed; programs share one when they are small (default: by the Express they want)
 * @property {Record<string, string>} [overrides] overrides for npm, for versions that cannot be installed
 * @property {boolean} [heavy] its installation takes long, so it is in no fifth
 * @property {(host: object) => unknown} start returns an application, a server, or `{ port }` that already listens
 * @property {string[]} [requests] sent one after another on one connection
 * @property {(host: object) => Promise<void>} [play] runs after the requests
 * @property {Record<string, string>} [files] written into the program's folder before each side runs
 * @property {Record<string, string>} [env] additional environment variables
 * @property {[RegExp, string][]} [masks] parts that also differ between runs on Express, with their replacements
 * @property {'runs'} [clock] the clock runs; by default it is constant
 * @property {boolean} [chunks] false: the chunks of a body depend on timing and are not compared
 * @property {string} [first] a request that is sent before the others to take over a server that the package creates with
 *   `http.createServer(app)`, if `start` returns the application
 * @property {number} [node] the oldest major version of Node that the package runs on, if Nonstop supports older ones
 * @property {boolean} [polls] the number of its client's requests depends on timing and is not compared
 * @property {import('./services.mjs').Service} [service] what it needs beside packages; where it is, environment variables say
 * @property {number} [seconds] time limit of a side (default 60)
 */

/** @typedef {Program & { name: string, file: string, place: string }} Row `place`: the folder of its installation, below .build/ecosystem */

const home = inRoot('packages', 'ecosystem');
const load = createRequire(import.meta.url);

/** @returns {Row[]} every program, by name */
export function allRows(folder = path.join(home, 'programs')) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((file) => rowOf(path.join(folder, file)));
}

/** @param {string} file @returns {Row} */
export function rowOf(file) {
  const program = /** @type {Program} */ (load(file));
  const name = path.basename(file, '.js');
  const place = program.folder ?? (program.wants.includes('express@4') ? 'with-express-4' : 'with-express-5');
  return { ...program, name, file, place };
}

/**
 * @param {Row[]} rows
 * @param {number} turn of 1 to 5
 * @returns {Row[]} each fifth row, without those whose installation takes long
 */
export const fifth = (rows, turn) => rows.filter(({ heavy }) => !heavy).filter((_, place) => place % 5 === turn - 1);

/** @param {Date} date @returns {number} the fifth of a day, 1 to 5 */
export const turnOf = (date) => (Math.floor(date.getTime() / 86_400_000) % 5) + 1;

const pins = path.join(home, 'versions.json');

/** @returns {Record<string, string>} the exact version of each package that a program wants, by the name in `wants` */
export const readVersions = () => JSON.parse(readFileSync(pins, 'utf8'));

/** @param {Record<string, string>} versions */
export function writeVersions(versions) {
  const sorted = Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(pins, `${JSON.stringify(sorted, null, 2)}\n`);
}
