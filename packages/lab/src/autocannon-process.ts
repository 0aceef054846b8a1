// Runs autocannon for each LoadPlan that its parent sends and answers with the result, until the parent is gone.
import type { AutocannonReply, AutocannonResult } from './autocannon.js';
import { fieldsOf, REPEATED, urlOf, type LoadPlan } from './load.js';

interface AutocannonOptions {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly pipelining: number;
  readonly duration?: number;
  readonly amount?: number;
  readonly workers?: number;
  readonly sampleInt: number;
  readonly requests?: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[];
}

const autocannon: (options: AutocannonOptions) => PromiseLike<AutocannonResult> = require('autocannon');

/** Requests that differ as those of wrk.lua do; autocannon sends this list in turn, on each connection. */
function variedRequests(plan: LoadPlan): NonNullable<AutocannonOptions['requests']> {
  const base = plan.request.path.replace(/\d+$/, '');
  return Array.from({ length: REPEATED }, (_, n) => ({
    path: `${base}${n}`,
    headers: {
      ...fieldsOf(plan),
      'User-Agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${n % 97}.0) Gecko/20100101 Firefox/${n % 97}.0`,
      Cookie: `sid=${n}; theme=dark`,
      'X-Request-Id': `id-${n}`,
    },
  }));
}

async function load(plan: LoadPlan): Promise<AutocannonReply> {
  const { request, shape, connections, seconds, requests, workers } = plan;
  const { method, body } = request;
  const length = requests === undefined ? { duration: seconds } : { amount: requests };
  try {
    // autocannon's clock ticks each sampleInt. The default of a second would extend a run of half a second to a whole
    // one.
    const result = await autocannon({
      url: urlOf(plan),
      method,
      headers: fieldsOf(plan),
      body,
      connections,
      pipelining: shape?.pipeline ?? 1,
      ...length,
      ...(workers === undefined ? {} : { workers }),
      sampleInt: 100,
      ...(shape?.varied ? { requests: variedRequests(plan) } : {}),
    });
    const { requests: counts, latency, duration, '2xx': success, non2xx, errors, timeouts } = result;
    return { result: { requests: counts, latency, duration, '2xx': success, non2xx, errors, timeouts } };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (plan: LoadPlan) => void load(plan).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
