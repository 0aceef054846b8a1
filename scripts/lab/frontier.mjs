import { list } from '../lib/command-line.mjs';
import { attended, labModule } from '../lib/head-to-head.mjs';
import { nodes, options as common, settings } from './settings.mjs';

export const usage = `npm run lab -- frontier [options]  where the time of a request goes: kernel, C++, node's JavaScript, each layer of Nonstop
  --row hello,async,query-api`;

export const options = /** @type {const} */ ({ ...common, row: { type: 'string', default: 'hello,async,query-api' } });

/**
 * @param {import('./settings.mjs').Values & { row: string }} values
 * @returns {() => Promise<number>} takes the table
 */
export function prepare(values) {
  // Each sample has two loads, and the shares settle soon, so samples are short.
  const what = {
    settings: settings({ seconds: values.quick ? undefined : '2', ...values }),
    rows: list('row', values.row),
  };
  return async () => {
    const versions = await nodes(values);
    await attended((attendance) =>
      labModule('frontier/frontier.js').frontier({ ...what, ...attendance, nodes: versions }),
    );
    return 0;
  };
}
