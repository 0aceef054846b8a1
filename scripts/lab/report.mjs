import path from 'node:path';
import { labModule } from '../lib/head-to-head.mjs';
import { fromCaller, inRoot } from '../lib/paths.mjs';

export const usage = `npm run lab -- report [options]     one page with charts of all measurements
  --results FOLDER        of the records (default: packages/lab/results)
  --out FILE              the page (default: report.html in that folder)
  --pictures FOLDER       writes each curve of growth there as well, as a picture of its own`;

export const options = /** @type {const} */ ({
  results: { type: 'string' },
  out: { type: 'string' },
  pictures: { type: 'string' },
});

/**
 * @param {{ results?: string, out?: string, pictures?: string }} values
 * @returns {() => Promise<number>} makes the page
 */
export function prepare(values) {
  const results = values.results === undefined ? inRoot('packages/lab/results') : fromCaller(values.results);
  const out = values.out === undefined ? path.join(results, 'report.html') : fromCaller(values.out);
  const pictures = values.pictures === undefined ? undefined : fromCaller(values.pictures);
  return async () => {
    labModule('report/report.js').report({ results, out, pictures, print: console.log });
    return 0;
  };
}
