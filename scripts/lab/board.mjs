import { list, whole } from '../lib/command-line.mjs';
import { attended, exitCode, labModule } from '../lib/head-to-head.mjs';
import { nodes, options as shared, settings } from './settings.mjs';

export const usage = `npm run lab -- board [options]     every workload; pass or miss where it has a budget
  --row hello,echo        rows (default: all)
  --base REVISION         compare this checkout with that commit instead of with other servers
  --together              with --base: both commits under load at the same time, for a busy machine
  --most-rounds 15        more rounds of a load, up to 15, while the middle half of a server's CPU times is wider than a tenth of their median
  --idle 10000            connections of the rows idle and waiting
  --live-heap 10          MB of objects that each server of a load keeps, as a larger application would (default: none)`;

export const options = /** @type {const} */ ({
  ...shared,
  row: { type: 'string' },
  base: { type: 'string' },
  together: { type: 'boolean', default: false },
  'most-rounds': { type: 'string' },
  idle: { type: 'string' },
  'live-heap': { type: 'string' },
});

/**
 * @param {import('./settings.mjs').Values & { row?: string, base?: string, together: boolean, 'most-rounds'?: string, idle?: string,
 *   'live-heap'?: string }} values
 * @returns {() => Promise<number>} runs the board. Exit code 1 means that a budget is missed, except in a quick run.
 */
export function prepare(values) {
  if (values.together && values.base === undefined)
    throw new Error('--together needs --base: budgets are for servers that have the core for themselves');
  const common = settings(values);
  const mostRounds = whole('most-rounds', values['most-rounds']);
  if (mostRounds !== undefined && mostRounds < common.rounds)
    throw new Error(`--most-rounds needs a number that is not below --rounds (${common.rounds}), got '${mostRounds}'`);
  const what = {
    ...common,
    mostRounds,
    liveHeap: whole('live-heap', values['live-heap']),
    idle: whole('idle', values.idle) ?? (values.quick ? 200 : 10_000),
    rows: list('row', values.row),
    base: values.base,
    together: values.together,
  };
  return async () => {
    const board = { ...what, nodes: await nodes(values) };
    const record = await attended((attendance) => labModule('board/board.js').board({ ...board, ...attendance }));
    const missed = record.verdicts.some(
      (/** @type {{ verdict: string }} */ { verdict }) => verdict === 'miss' || verdict === 'not measured',
    );
    return exitCode(record) || Number(missed && !values.quick);
  };
}
