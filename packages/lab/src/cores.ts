import { execFileSync } from 'node:child_process';
import fs = require('node:fs');

/** The cores of the servers and of the generator; undefined if processes cannot be pinned. */
export interface Cores {
  readonly server?: number;
  readonly generator?: number;
  /** All cores except the server's, as a list for taskset, for a generator with many threads. */
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
    // No taskset or no /proc: processes are not pinned, and the record says so.
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

/**
 * Prefixes a command with `taskset` if it should be pinned to a core. taskset replaces itself by the command, so the
 * process id stays the same.
 */
export function pinned(
  core: number | string | undefined,
  command: string,
  args: readonly string[],
): [string, string[]] {
  return core === undefined ? [command, [...args]] : ['taskset', ['-c', String(core), command, ...args]];
}
