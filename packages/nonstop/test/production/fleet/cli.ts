import { parseArgs } from 'node:util';
import { missingTools } from './fleet.js';
import { overload } from './overload.js';
import { sail } from './voyage.js';

/** Defaults for overload, with requests of 5 ms. */
const LIMITS = ['--max-requests', '20', '--max-delay', '100ms'];

/** `npm run fleet`: the long form of the test, with its figures. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '200000' },
      clients: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '2' },
      processes: { type: 'string', default: '3' },
      overload: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '10' },
      workers: { type: 'string', default: '1' },
    },
  });
  const missing = missingTools();
  if (missing !== false) throw new Error(missing);
  const log = (line: string): void => console.log(line);
  if (values.overload) {
    for (const behindHaproxy of [false, true]) {
      for (const options of [[], LIMITS]) {
        const [seconds, workers] = [values.seconds, values.workers].map(Number);
        const outcome = await overload({ behindHaproxy, workers, options, seconds });
        console.log(behindHaproxy ? 'behind HAProxy' : 'directly', options.join(' ') || 'without limits');
        console.log(JSON.stringify(outcome, null, 1));
      }
    }
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
