import threads = require('node:worker_threads');
import { LONGEST_TIME } from '../core/clock.js';

/** As it is before `nonstop/register` replaces it: this thread needs no Express. */
const { Worker } = threads;

/** Written past the streams of node, which a thread writes by the event loop of the process. */
const PROGRAM = `
const { workerData: { time, line } } = require('node:worker_threads');
setTimeout(() => {
  try { require('node:fs').writeSync(2, line); } catch {}
  process.kill(process.pid, 'SIGKILL');
}, time);`;

/**
 * Kills this process after a time, by a thread of its own: where a hook or a handler blocks the event loop, no timer of the process
 * runs, and no signal is heard. A process that ends before ends the thread.
 *
 * @param time milliseconds
 */
export function stopHardIn(time: number): void {
  const line = 'nonstop: cut: all that this process had in hand: its event loop was blocked\n';
  // Without a thread, for want of memory or of the permission (`--permission`), the process drains all the same.
  try {
    // Without the flags and variables of the process, by which tools load themselves in each thread.
    const thread = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      env: {},
      workerData: { time: Math.min(time, LONGEST_TIME), line },
    });
    thread.on('error', () => undefined).unref();
  } catch {}
}
