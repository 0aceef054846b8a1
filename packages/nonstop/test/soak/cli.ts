import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../support/command-line.js';
import { doors, type Door } from '../support/doors.js';
import { served, type By } from '../support/served.js';
import { ENDINGS, idle } from './idle.js';
import {
  levels,
  middlewareComplaints,
  middlewareSoak,
  type MiddlewareBalance,
  type MiddlewareSoak,
  type Sample,
} from './middleware/run.js';
import { complaints, soak } from './soak.js';

const SAMPLES = 40;
/** Minimum seconds of a run for its memory to be judged. */
const LEVEL_AFTER = 300;
const names = doors.map(({ name }) => name).join(' or ');

const usage = `npm run soak -- [options]     misbehaving clients for a while: exit code 1 when the books do not balance
  --seconds 60
  --clients 300
  --seed 1
  --door engine   ${names}
  --middleware    an application with sessions, uploads, compression and a proxy; from 300 s on node:http has the same
                  load beside it, and memory has to be level
  --idle 10000    in place of all that: so many idle connections, ended by close() and its kind`;

async function leaveIdle(door: Door, connections: number): Promise<void> {
  for (const ending of ENDINGS) {
    const started = performance.now();
    const { open, ended, left } = await idle({ door, connections, ending });
    console.log({ door: door.name, ending, open, ended, left, ms: Math.round(performance.now() - started) });
    if (open !== connections || ended !== connections || left !== 0) process.exitCode = 1;
  }
}

const MB = 1024 * 1024;
const inMb = (octets: number): string => `${(octets / MB).toFixed(1)} MB`;

function tellSample(by: string, { heapUsed, external, rss, open, served: counts }: Sample): void {
  const seconds = Math.round(process.uptime());
  const all = counts.engine + counts['node:http'];
  console.log(
    `${seconds} s, ${by}: heap ${inMb(heapUsed)}, buffers ${inMb(external)}, rss ${inMb(rss)}, ${open} open, ${all} requests`,
  );
}

async function soaked(options: MiddlewareSoak): Promise<MiddlewareBalance> {
  const balance = await middlewareSoak({ ...options, onSample: (sample) => tellSample(options.door, sample) });
  const { sent, answered, abandoned, last, samples } = balance;
  console.log({ door: options.door, sent, answered, abandoned, ...last });
  const level = levels(samples);
  if (level !== undefined) {
    for (const what of ['heapUsed', 'external', 'rss'] as const)
      console.log(`${what}: ${inMb(level.early[what])} in the second fifth, ${inMb(level.late[what])} in the last`);
  }
  return balance;
}

async function withMiddleware(options: MiddlewareSoak, seconds: number): Promise<void> {
  const nextSample = (): Promise<void> => sleep((seconds * 1000) / SAMPLES);
  const long = seconds >= LEVEL_AFTER;
  const oracle: By = 'node:http';
  const doors: By[] = long && options.door !== oracle ? [options.door, oracle] : [options.door];
  const balances = await Promise.all(doors.map((door) => soaked({ ...options, door, nextSample })));
  // Memory is judged at the first door alone: node:http beside it is what it is compared with.
  const wrong = balances.flatMap((balance, i) =>
    middlewareComplaints({ door: doors[i], long: long && i === 0, beside: balances[1]?.samples }, balance).map(
      (complaint) => `${doors[i]}: ${complaint}`,
    ),
  );
  conclude(wrong);
}

function conclude(wrong: readonly string[]): void {
  for (const complaint of wrong) console.log(`  ${complaint}`);
  console.log(wrong.length === 0 ? 'the books balance' : `${wrong.length} complaints`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

void run(async ({ readCommandLine, positive, whole }) => {
  const { values } = readCommandLine(usage, {
    seconds: { type: 'string' },
    clients: { type: 'string' },
    seed: { type: 'string' },
    door: { type: 'string' },
    idle: { type: 'string' },
    middleware: { type: 'boolean' },
  });
  const { door: wanted = 'engine' } = values;
  const door = doors.find(({ name }) => name === wanted);
  if (door === undefined) throw new Error(`--door needs ${names}, got '${wanted}'`);
  const clients = whole('clients', values.clients) ?? 300;
  const seed = whole('seed', values.seed) ?? 1;
  const connections = whole('idle', values.idle);
  if (connections !== undefined) return leaveIdle(door, connections);
  const seconds = positive('seconds', values.seconds) ?? 60;
  const end = Date.now() + seconds * 1000;
  const over = (): boolean => Date.now() > end;
  if (values.middleware === true) return withMiddleware({ door: door.serves, clients, seed, over }, seconds);
  const balance = await soak({ door, clients, seed, over });
  const { sent, answered, abandoned, tally, heapGrowth } = balance;
  console.log({ door: door.name, served: served(), sent, answered, abandoned, ...tally, heapGrowth });
  conclude(complaints(balance));
});
