// Runs autocannon once, by a LoadPlan in its first argument, and prints its result as JSON.
import type { AutocannonResult } from './autocannon.js';
import type { LoadPlan } from './load.js';

interface AutocannonOptions {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly duration: number;
  readonly sampleInt: number;
}

const autocannon: (options: AutocannonOptions) => PromiseLike<AutocannonResult> = require('autocannon');

async function main(): Promise<void> {
  const { port, request, connections, seconds }: LoadPlan = JSON.parse(process.argv[2]);
  const { method, headers, body } = request;
  const url = `http://127.0.0.1:${port}${request.path}`;
  // Its clock ticks each sampleInt: the default of a second would stretch a run of half a second to a whole one.
  const result = await autocannon({ url, method, headers, body, connections, duration: seconds, sampleInt: 100 });
  process.stdout.write(JSON.stringify(result));
}

void main();
