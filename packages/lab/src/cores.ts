import { execFileSync } from 'node:child_process';
import fs = require('node:fs');

/** Which core the servers run on and which the generator; undefined where they cannot be held there. */
export interface Cores {
  readonly server?: number;
  readonly generator?: number;
  /** All but the server's, as a list for taskset: for a generator with many threads. */
  readonly others?: string;
}

/** Looks for `taskset` and two cores that this process may use. */
export function findCores(): Cores {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    const status = fs.readFileSync('/proc/self/status', 'utf8');
    const [server, ...others] = parseCoreList(/^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1] ?? '');
    return others.length === 0 ? {} : { server, generator: others[0], others: others.join(',') };
  } catch {
    // No taskset or no /proc: the system schedules as it likes, and the record says so.
    return {};
  }
}

/** The cores of a list as Linux writes it: `0-2,5` is 0, 1, 2, 5. */
export function parseCoreList(list: string): number[] {
  return list
    .trim()
    .split(',')
    .filter((range) => /^\d+(-\d+)?$/.test(range))
    .flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** Puts `taskset` before a command when it is to be held on a core. It becomes the command: the process id is the same. */
export function pinned(
  core: number | string | undefined,
  command: string,
  args: readonly string[],
): [string, string[]] {
  return core === undefined ? [command, [...args]] : ['taskset', ['-c', String(core), command, ...args]];
}
