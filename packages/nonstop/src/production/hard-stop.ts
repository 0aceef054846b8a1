import threads = require('node:worker_threads');
import { LONGEST_TIME } from '../core/clock.js';

/** Read before `nonstop/register` replaces it: this thread needs no Express. */
const { Worker } = threads;

/** Uses writeSync: `process.stderr` of a thread is written by the event loop of the process, which may be blocked. */
const PROGRAM = `
const { parentPort, workerData: { time, line } } = require('node:worker_threads');
const end = () => {
  try { require('node:fs').writeSync(2, line); } catch {}
  process.kill(process.pid, 'SIGKILL');
};
let timer = setTimeout(end, time);
parentPort.on('message', (later) => {
  clearTimeout(timer);
  timer = setTimeout(end, later);
});`;

/**
 * Kills this process after a time, from a separate thread: while a hook or a handler blocks the event loop, timers and signal
 * listeners of the process do not run. The thread ends with the process.
 *
 * @param time milliseconds
 * @returns a function that sets the time anew, from its call on
 */
export function stopHardIn(time: number): (time: number) => void {
  const line = 'nonstop: cut: everything under way in this process: its event loop was blocked\n';
  // If the thread cannot start, for lack of memory or permission (`--permission`), the process drains without it.
  try {
    // Without the flags and environment of the process: tools use these to load themselves in each thread.
    const thread = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      env: {},
      workerData: { time: Math.min(time, LONGEST_TIME), line },
    });
    thread.on('error', () => undefined).unref();
    return (later) => thread.postMessage(Math.min(later, LONGEST_TIME));
  } catch {
    return () => undefined;
  }
}
