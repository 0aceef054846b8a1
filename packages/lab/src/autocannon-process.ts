// Runs autocannon by each LoadPlan that its parent sends, and answers with the result, for as long as the parent is there.
import type { AutocannonReply, AutocannonResult } from './autocannon.js';
import { fieldsOf, urlOf, type LoadPlan } from './load.js';

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
}

const autocannon: (options: AutocannonOptions) => PromiseLike<AutocannonResult> = require('autocannon');

async function load(plan: LoadPlan): Promise<AutocannonReply> {
  const { request, shape, connections, seconds, requests, workers } = plan;
  const { method, body } = request;
  const length = requests === undefined ? { duration: seconds } : { amount: requests };
  try {
    // Its clock ticks each sampleInt: the default of a second would stretch a run of half a second to a whole one.
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
    });
    const { requests: counts, latency, duration, '2xx': success, non2xx, errors, timeouts } = result;
    return { result: { requests: counts, latency, duration, '2xx': success, non2xx, errors, timeouts } };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (plan: LoadPlan) => void load(plan).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());
