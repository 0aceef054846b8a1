import { parseArgs } from 'node:util';
import { missingTools } from './fleet.js';
import { overload, sail } from './voyage.js';

/** `npm run fleet`: the long form of the test, with its figures. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '200000' },
      clients: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '2' },
      processes: { type: 'string', default: '3' },
      overload: { type: 'boolean', default: false },
      'per-second': { type: 'string', default: '300' },
    },
  });
  const missing = missingTools();
  if (missing !== false) throw new Error(missing);
  const log = (line: string): void => console.log(line);
  if (values.overload) {
    console.log('overload', JSON.stringify(await overload(Number(values['per-second']), 10, true)));
    return;
  }
  const [requests, clients, rounds, processes] = [values.requests, values.clients, values.rounds, values.processes].map(
    Number,
  );
  await sail({ requests, clients, rounds, processes, streams: 5, log });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
