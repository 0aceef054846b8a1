import path = require('node:path');
import { runGenerator } from './generator-process.js';
import { occurred, type Generator, type LoadPlan, type LoadResult } from './load.js';

const program = path.join(__dirname, 'autocannon-process.js');

/** `autocannon` from npm: the generator that is always there. It runs in a process of its own, on its own core. */
export const autocannon: Generator = {
  name: 'autocannon',
  version: (require('autocannon/package.json') as { version: string }).version,
  async run(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult> {
    const args = [program, JSON.stringify(plan)];
    const { stdout, stderr } = await runGenerator({ command: process.execPath, args, plan, signal });
    if (stdout === '') throw new Error(`autocannon gave no report:\n${stderr}`);
    return parseAutocannon(JSON.parse(stdout));
  },
};

/** The part of autocannon's result that the lab reads. */
export interface AutocannonResult {
  readonly requests: { readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  /** Seconds. */
  readonly duration: number;
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
}

/** Puts autocannon's result into the lab's words. */
export function parseAutocannon(result: AutocannonResult): LoadResult {
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: occurred({ connection: result.errors, timeout: result.timeouts, status: result.non2xx }),
  };
}
