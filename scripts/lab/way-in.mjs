import { list } from '../lib/command-line.mjs';
import { attended, exitCode, labModule } from '../lib/head-to-head.mjs';
import { nodes, options as common, settings } from './settings.mjs';

export const usage = `npm run lab -- way-in [options]    hello world of other frameworks with and without nonstop/http/register
  --contestants 'Koa,Fastify'   (default: all that are written for node:http)`;

export const options = /** @type {const} */ ({ ...common, contestants: { type: 'string' } });

/**
 * @param {import('./settings.mjs').Values & { contestants?: string }} values
 * @returns {() => Promise<number>} measures each framework with and without the preload
 */
export function prepare(values) {
  const what = { ...settings(values), contestants: list('contestants', values.contestants) };
  return async () => {
    const run = { ...what, nodes: await nodes(values) };
    return exitCode(await attended((attendance) => labModule('way-in/way-in.js').wayIn({ ...run, ...attendance })));
  };
}
