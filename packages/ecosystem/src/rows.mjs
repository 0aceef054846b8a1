import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inRoot } from '../../../scripts/lib/paths.mjs';

/**
 * What a file of programs/ exports.
 * @typedef {object} Program
 * @property {string[]} wants packages that are installed for it, such as 'cors' or 'express@4'. The first one is the row's own
 * @property {string} about what is exercised, for the table
 * @property {string} [folder] where they are installed; programs share one when they are small (default: by the Express they want)
 * @property {Record<string, string>} [overrides] what npm is told to install in the place of versions that cannot be
 * @property {boolean} [heavy] its installation takes long: it is not among the fifths
 * @property {(host: object) => unknown} start gives an application, a server, or `{ port }` that listens already
 * @property {string[]} [requests] sent one after the other on one connection
 * @property {(host: object) => Promise<void>} [play] what follows them
 * @property {Record<string, string>} [files] written into the program's folder before each side runs
 * @property {Record<string, string>} [env] more of the environment
 * @property {[RegExp, string][]} [masks] what differs from run to run on Express as well, with what is compared in its place
 * @property {'runs'} [clock] `new Date()` goes on; without it the time stands
 * @property {boolean} [chunks] false: where a body is cut into chunks is a matter of timing, and is not compared
 * @property {string} [first] a request that is sent before the others to have a server taken over that the package makes with
 *   `http.createServer(app)`, where `start` gives the application
 * @property {number} [node] the oldest major version of Node that the package runs on, when Nonstop runs on older ones
 * @property {boolean} [polls] how many requests its client sends is a matter of timing, and is not compared
 * @property {number} [seconds] that a side may take (60)
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

/** @param {Date} date @returns {number} whose turn it is on a day, 1 to 5 */
export const turnOf = (date) => (Math.floor(date.getTime() / 86_400_000) % 5) + 1;

const pins = path.join(home, 'versions.json');

/** @returns {Record<string, string>} the exact version of each package that a program wants, by the name that it wants it by */
export const readVersions = () => JSON.parse(readFileSync(pins, 'utf8'));

/** @param {Record<string, string>} versions */
export function writeVersions(versions) {
  const sorted = Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(pins, `${JSON.stringify(sorted, null, 2)}\n`);
}
