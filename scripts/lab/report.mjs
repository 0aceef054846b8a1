import path from 'node:path';
import { labModule } from '../lib/head-to-head.mjs';
import { fromCaller, inRoot } from '../lib/paths.mjs';

export const usage = `npm run lab -- report [options]     one page with charts of all measurements
  --results FOLDER        of the records (default: packages/lab/results)
  --out FILE              the page (default: report.html in that folder)`;

export const options = /** @type {const} */ ({ results: { type: 'string' }, out: { type: 'string' } });

/**
 * @param {{ results?: string, out?: string }} values
 * @returns {() => Promise<number>} makes the page
 */
export function prepare(values) {
  const results = values.results === undefined ? inRoot('packages/lab/results') : fromCaller(values.results);
  const out = values.out === undefined ? path.join(results, 'report.html') : fromCaller(values.out);
  return async () => {
    labModule('report/report.js').report({ results, out, print: console.log });
    return 0;
  };
}
