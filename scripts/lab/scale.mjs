import { list } from '../lib/command-line.mjs';
import { attended, exitCode, labModule } from '../lib/head-to-head.mjs';
import { nodes, options as common, settings } from './settings.mjs';

export const usage = `npm run lab -- scale [options]     the cost of a request as something grows, judged against node:http's curve
  --curve routes,middleware,fields,body,receive,connections,waiting,pipeline,processes   (default: all)`;

export const options = /** @type {const} */ ({ ...common, curve: { type: 'string' } });

/**
 * @param {import('./settings.mjs').Values & { curve?: string }} values
 * @returns {() => Promise<number>} takes the curves
 */
export function prepare(values) {
  // There are many points, each with its own start, so samples are shorter than on the board.
  const what = {
    ...settings({ seconds: values.quick ? undefined : '2', ...values }),
    curves: list('curve', values.curve),
  };
  return async () => {
    const scale = { ...what, nodes: await nodes(values) };
    return exitCode(await attended((attendance) => labModule('scale/scale.js').scale({ ...scale, ...attendance })));
  };
}
