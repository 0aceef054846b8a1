import { createRequire } from 'node:module';
import { inRoot } from './paths.mjs';

/** @typedef {import('../../bench/lab/head-to-head.js').HeadToHeadOptions} HeadToHeadOptions */
/** @typedef {import('../../bench/lab/record.js').BenchRecord} BenchRecord */

/**
 * Runs the lab's head-to-head with progress on this terminal; Ctrl-C ends it and keeps the finished samples.
 * @param {Omit<HeadToHeadOptions, 'signal' | 'progress' | 'print'>} options
 * @returns {Promise<BenchRecord>}
 */
export async function headToHead(options) {
  // Built a moment ago: not there yet when this file is loaded.
  const lab = createRequire(import.meta.url)(inRoot('.build/bench/lab/head-to-head.js'));
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  try {
    return await lab.headToHead({ ...options, ...terminal(), signal: interrupt.signal });
  } finally {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
  }
}

/** Progress is one line that is written over on a terminal; in a log it is a line for each row. */
function terminal() {
  const { isTTY, columns } = process.stdout;
  let lastRow = '';
  return {
    /** @param {string} row @param {string} step */
    progress(row, step) {
      if (isTTY) process.stdout.write(`\r\u001B[K${`${row}: ${step}`.slice(0, columns - 1)}`);
      else if (row !== lastRow) console.log(row);
      lastRow = row;
    },
    /** @param {string} text */
    print(text) {
      if (isTTY) process.stdout.write('\r\u001B[K');
      console.log(text);
    },
  };
}

/** What a run says with its exit code: 130 after Ctrl-C, 1 when a contestant failed or gave a wrong answer. */
export const exitCode = (/** @type {BenchRecord} */ { ended, failures }) =>
  ended === 'interrupted' ? 130 : ended === 'complete' && failures.length === 0 ? 0 : 1;
