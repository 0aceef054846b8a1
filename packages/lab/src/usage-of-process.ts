import fs = require('node:fs');
import type { Usage } from './agent.js';

/** A clock tick and a page of Linux's /proc, in microseconds and bytes, on every architecture that Node runs on by default. */
const TICK = 10_000;
const PAGE = 4096;

/**
 * The resource usage of a process on Linux without the lab's agent. Times have a resolution of 10 ms; the heap is not known.
 *
 * @throws {Error} when the process has ended
 */
export function usageOfProcess(pid: number): Usage {
  // The name of the program, in parentheses, may hold spaces.
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, system] = [fields[11], fields[12]].map((ticks) => Number(ticks) * TICK);
  return { cpu: user + system, system, rss: Number(fields[21]) * PAGE, heap: 0 };
}
