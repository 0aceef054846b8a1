import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path = require('node:path');
import { pinned } from './cores.js';
import { limitOf, occurred, type Generator, type LoadPlan, type LoadResult } from './load.js';

const program = path.join(__dirname, 'autocannon-process.js');

/** `autocannon` from npm: the generator that is always installed. It runs in its own process, on its own core. */
export const autocannon: Generator = {
  name: 'autocannon',
  version: (require('autocannon/package.json') as { version: string }).version,
  async run(plan: LoadPlan, signal?: AbortSignal): Promise<LoadResult> {
    const helper = takeHelper(plan);
    try {
      const result = await resultOf(helper, plan, signal);
      keep(helper);
      return parseAutocannon(result);
    } catch (error) {
      helper.child.kill('SIGKILL');
      throw error;
    }
  },
};

interface Helper {
  readonly child: ChildProcess;
  readonly core: LoadPlan['core'];
}

/** The process of the last load is reused: starting it and loading autocannon takes longer than a short load. */
let kept: Helper | undefined;

function takeHelper({ core }: LoadPlan): Helper {
  const last = kept;
  kept = undefined;
  if (last?.core === core && last?.child.connected) {
    last.child.ref();
    last.child.channel?.ref();
    return last;
  }
  last?.child.kill('SIGKILL');
  const child = spawn(...pinned(core, process.execPath, [program]), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Ctrl-C goes to the whole process group, but the lab itself decides when its generator ends.
    detached: true,
  });
  return { child, core };
}

/** It ends with the lab and does not keep the lab alive. */
function keep(helper: Helper): void {
  kept?.child.kill('SIGKILL');
  kept = helper;
  helper.child.unref();
  helper.child.channel?.unref();
}

/** The process's answer to a plan. */
export type AutocannonReply = { readonly result: AutocannonResult } | { readonly problem: string };

async function resultOf({ child }: Helper, plan: LoadPlan, signal?: AbortSignal): Promise<AutocannonResult> {
  signal?.throwIfAborted();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), limitOf(plan));
  const ending = AbortSignal.any(signal === undefined ? [over.signal] : [over.signal, signal]);
  const options = { signal: ending };
  try {
    child.send(plan);
    const reply = (await Promise.race([
      once(child, 'message', options),
      once(child, 'exit', options).then(() => [{ problem: 'it ended' }]),
    ])) as [AutocannonReply];
    const [answer] = reply;
    if ('result' in answer) return answer.result;
    throw new Error(`autocannon gave no report:\n${answer.problem}`);
  } catch (error) {
    if (over.signal.aborted)
      throw new Error(`autocannon gave no report within ${limitOf(plan) / 1000} s`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** The part of autocannon's result that the lab reads. */
export interface AutocannonResult {
  readonly requests: { readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  /** Seconds. */
  readonly duration: number;
  readonly '2xx': number;
  readonly non2xx: number;
  /** The timeouts among the errors. */
  readonly errors: number;
  readonly timeouts: number;
}

/** Converts autocannon's result. */
export function parseAutocannon(result: AutocannonResult): LoadResult {
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: occurred({ connection: result.errors - result.timeouts, timeout: result.timeouts, status: result.non2xx }),
  };
}
