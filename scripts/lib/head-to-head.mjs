import { createRequire } from 'node:module';
import { inRoot } from './paths.mjs';

/** @typedef {import('../../packages/lab/src/head-to-head.js').HeadToHeadOptions} HeadToHeadOptions */
/** @typedef {import('../../packages/lab/src/record.js').BenchRecord} BenchRecord */

/** @typedef {Pick<HeadToHeadOptions, 'signal' | 'progress' | 'print' | 'width'>} Attended */

/**
 * Runs the lab's head-to-head with progress on this terminal; Ctrl-C ends it and keeps the finished samples.
 * @param {Omit<HeadToHeadOptions, 'signal' | 'progress' | 'print' | 'width'>} options
 * @returns {Promise<BenchRecord>}
 */
export const headToHead = (options) =>
  attended((attendance) => labModule('head-to-head.js').headToHead({ ...options, ...attendance }));

/**
 * Loads a module of the lab. It does not exist before the build, so it cannot be imported at the top.
 * @param {string} file below packages/lab/src, compiled
 */
export const labModule = (file) => createRequire(import.meta.url)(inRoot('.build/packages/lab/src', file));

/**
 * Runs work with progress on this terminal; Ctrl-C aborts it.
 * @template T
 * @param {(attendance: Attended) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function attended(work) {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  try {
    return await work({ ...labModule('terminal.js').terminal(), signal: interrupt.signal });
  } catch (error) {
    // There are no finished samples yet.
    if (interrupt.signal.aborted) process.exit(130);
    throw error;
  } finally {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
  }
}

/** The exit code of a run: 130 after Ctrl-C, 1 if a contestant failed or gave a wrong answer. */
export const exitCode = (/** @type {Pick<BenchRecord, 'ended' | 'failures'>} */ { ended, failures }) =>
  ended === 'interrupted' ? 130 : ended === 'complete' && failures.length === 0 ? 0 : 1;
