import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../../../scripts/lib/paths.mjs';

/**
 * @typedef {object} Line of the table
 * @property {'equal' | 'differs' | 'not tried'} verdict
 * @property {Record<string, string>} versions of the packages that the row wants
 * @property {string} about what is exercised
 * @property {string} [node] that it ran on
 * @property {string} [express] the versions of Express that were loaded
 * @property {number} [requests] answered by the engine
 * @property {string[]} [reasons] what differs, or why it was not tried
 *
 * @typedef {Record<string, Line>} Lines by the row's name
 * @typedef {object} SuiteLine
 * @property {string} version
 * @property {string} node
 * @property {number} own tests that pass without Nonstop
 * @property {number} ours of these, with Nonstop
 * @property {number} engine requests that the engine answered
 * @property {number} other requests that node:http answered
 * @property {string} [note]
 *
 * @typedef {{ node: string, date: string, machine: string, rows: Lines, suites?: Record<string, SuiteLine> }} Table
 */

const file = inRoot('packages', 'ecosystem', 'table.json');

/** @returns {Table} the table of the last recorded run; a table without rows, if nothing has been recorded */
export function readTable() {
  if (!existsSync(file)) return { node: '', date: '', machine: '', rows: {} };
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {Table} table */
export function writeTable(table) {
  const rows = Object.fromEntries(Object.entries(table.rows).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify({ ...table, rows }, null, 2)}\n`);
}

/**
 * The losses of a run against the table.
 * @param {Lines} before
 * @param {Lines} now the rows that were run
 * @returns {{ differ: string[], untried: string[] }} names: of rows that differ and were equal or absent, and of rows that were tried before and are not tried now
 */
export function lost(before, now) {
  const names = Object.keys(now);
  return {
    differ: names.filter((name) => now[name].verdict === 'differs' && before[name]?.verdict !== 'differs'),
    untried: names.filter(
      (name) => now[name].verdict === 'not tried' && before[name] !== undefined && before[name].verdict !== 'not tried',
    ),
  };
}

/**
 * The losses of a run of suites against the table.
 * @param {Record<string, SuiteLine>} before
 * @param {Record<string, SuiteLine>} now
 * @param {string[]} untried suites that could not be run
 * @returns {string[]} each suite with what is lost: all of it, or tests that passed before in the same version
 */
export function lostSuites(before, now, untried) {
  const fewer = Object.entries(now).filter(
    ([name, { version, ours }]) => before[name]?.version === version && ours < before[name].ours,
  );
  return [
    ...untried.filter((name) => before[name] !== undefined).map((name) => `${name} (not tried)`),
    ...fewer.map(([name, { ours }]) => `${name} (${before[name].ours - ours} of ${before[name].ours} tests)`),
  ];
}
