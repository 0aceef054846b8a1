// Runs autocannon once, by a LoadPlan in its first argument, and prints its result as JSON.
import type { AutocannonResult } from './autocannon.js';
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

async function main(): Promise<void> {
  const plan: LoadPlan = JSON.parse(process.argv[2]);
  const { request, shape, connections, seconds, requests, workers } = plan;
  const { method, body } = request;
  const length = requests === undefined ? { duration: seconds } : { amount: requests };
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
  process.stdout.write(JSON.stringify(result));
}

void main();
