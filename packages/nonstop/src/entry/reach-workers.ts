import { syncBuiltinESMExports } from 'node:module';
import workers = require('node:worker_threads');

type Options = workers.WorkerOptions;
type Make = (options: Options | undefined) => workers.Worker;

/**
 * Makes the workers that this thread starts load a file first. A flag of the process reaches most of them, except workers
 * from a source text, for which node runs no `--import`, and workers with their own flags or variables.
 */
export function reachWorkers(file: string): void {
  workers.Worker = new Proxy(workers.Worker, {
    construct(target, [name, options]: [string | URL, Options | undefined], made: typeof workers.Worker) {
      const make: Make = (given) => Reflect.construct(target, [name, given], made);
      return inheritsFlag(file, options) ? make(options) : start(make, options, ['--require', file]);
    },
  });
  syncBuiltinESMExports();
}

function inheritsFlag(file: string, options: Options | undefined): boolean {
  if (options?.eval || options?.execArgv !== undefined || (options?.env ?? undefined) !== undefined) return false;
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some(
    (flag) => flag.includes('nonstop/register') || flag.includes(file),
  );
}

/**
 * Workers refuse some flags of the process: they are left out, as node does for inherited flags. node's error names only the flags before the
 * first value of a refused one, so this is tried until nothing is refused.
 */
function start(make: Make, options: Options | undefined, flag: readonly string[]): workers.Worker {
  for (let inherited: readonly string[] = process.execArgv; ;) {
    try {
      return make({ ...options, execArgv: [...(options?.execArgv ?? inherited), ...flag] });
    } catch (error) {
      const kept = without(inherited, (error as Error).message);
      if (options?.execArgv !== undefined || kept.length === inherited.length) throw error;
      inherited = kept;
    }
  }
}

/** Leaves out the flags that an error names, with their values: node would read flags only up to a value that is left over. */
function without(flags: readonly string[], message: string): string[] {
  const [, refused = ''] = /invalid execArgv flags: ([^]+)$/.exec(message) ?? [];
  let isRefused = false;
  return flags.filter((each) => {
    if (each.startsWith('-')) isRefused = `, ${refused}, `.includes(`, ${each}, `);
    return !isRefused;
  });
}
