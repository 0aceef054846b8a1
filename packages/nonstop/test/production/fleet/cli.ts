import { run } from '../../support/command-line.js';
import { missingTools } from './fleet.js';
import { overload } from './overload.js';
import { sail } from './voyage.js';

/** Defaults for overload, with requests of 5 ms. */
const LIMITS = ['--max-requests', '20', '--max-delay', '100ms'];

const usage = `npm run fleet -- [options]     the long form of the test, with its figures; needs haproxy and redis-server
  --requests 200000   while all processes are replaced and restarted
  --clients 30
  --rounds 2          how often they are replaced and restarted
  --processes 3       each of two workers
  --overload          in place of all that: three times the requests that it can serve, without and with limits
  --seconds 10        with --overload: how long
  --workers 1         with --overload: workers of each process`;

void run(async ({ readCommandLine, positive }) => {
  const { values } = readCommandLine(usage, {
    requests: { type: 'string' },
    clients: { type: 'string' },
    rounds: { type: 'string' },
    processes: { type: 'string' },
    overload: { type: 'boolean' },
    seconds: { type: 'string' },
    workers: { type: 'string' },
  });
  const missing = missingTools();
  if (missing !== false) throw new Error(missing);
  const log = (line: string): void => console.log(line);
  if (values.overload) {
    for (const behindHaproxy of [false, true]) {
      for (const options of [[], LIMITS]) {
        const seconds = positive('seconds', values.seconds) ?? 10;
        const workers = positive('workers', values.workers) ?? 1;
        const outcome = await overload({ behindHaproxy, workers, options, seconds });
        console.log(behindHaproxy ? 'behind HAProxy' : 'directly', options.join(' ') || 'without limits');
        console.log(JSON.stringify(outcome, null, 1));
      }
    }
    return;
  }
  await sail({
    requests: positive('requests', values.requests) ?? 200_000,
    clients: positive('clients', values.clients) ?? 30,
    rounds: positive('rounds', values.rounds) ?? 2,
    processes: positive('processes', values.processes) ?? 3,
    streams: 5,
    log,
  });
});
