import { whole } from '../lib/command-line.mjs';
import { attended, exitCode, labModule } from '../lib/head-to-head.mjs';
import { nodes, options as common, settings } from './settings.mjs';

export const usage = `npm run lab -- workers [options]   hello world under nonstop --workers 1, 2, … by cores: requests, CPU time, its spread
  --most 8                (default: one worker for each core)`;

export const options = /** @type {const} */ ({ ...common, most: { type: 'string' } });

/**
 * @param {import('./settings.mjs').Values & { most?: string }} values
 * @returns {() => Promise<number>} measures the command with more and more workers
 */
export function prepare(values) {
  const what = { ...settings(values), most: whole('most', values.most) };
  return async () => {
    const run = { ...what, nodes: await nodes(values) };
    const { ended } = await attended((attendance) =>
      labModule('workers/workers.js').workers({ ...run, ...attendance }),
    );
    return exitCode({ ended, failures: [] });
  };
}
