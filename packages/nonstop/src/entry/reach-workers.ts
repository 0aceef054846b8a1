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

/** Workers refuse some flags of the process: they are left out, as node does for inherited flags. */
function start(make: Make, options: Options | undefined, flag: readonly string[]): workers.Worker {
  if (options?.execArgv !== undefined) return make({ ...options, execArgv: [...options.execArgv, ...flag] });
  try {
    return make({ ...options, execArgv: [...process.execArgv, ...flag] });
  } catch (error) {
    const refused = /invalid execArgv flags: (.+)$/.exec((error as Error).message)?.[1].split(', ');
    if (refused === undefined) throw error;
    return make({ ...options, execArgv: [...process.execArgv.filter((each) => !refused.includes(each)), ...flag] });
  }
}
