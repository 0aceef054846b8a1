import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../support/command-line.js';
import { doors, type Door } from '../support/doors.js';
import { served } from '../support/served.js';
import { ENDINGS, idle } from './idle.js';
import { levels, middlewareComplaints, middlewareSoak, type MiddlewareSoak, type Sample } from './middleware/run.js';
import { complaints, soak } from './soak.js';

const SAMPLES = 40;
/** Seconds of a run whose memory is judged. */
const LEVEL_AFTER = 300;
const names = doors.map(({ name }) => name).join(' or ');

const usage = `npm run soak -- [options]     misbehaving clients for a while: exit code 1 when the books do not balance
  --seconds 60
  --clients 300
  --seed 1
  --door engine   ${names}
  --middleware    an application with sessions, uploads, compression and a proxy; its memory, which has to be level from 300 s on
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

function tellSample({ heapUsed, external, rss, open, served: by }: Sample): void {
  const seconds = Math.round(process.uptime());
  const all = by.engine + by['node:http'];
  console.log(
    `${seconds} s: heap ${inMb(heapUsed)}, buffers ${inMb(external)}, rss ${inMb(rss)}, ${open} open, ${all} requests`,
  );
}

async function withMiddleware(options: MiddlewareSoak, seconds: number): Promise<void> {
  const nextSample = (): Promise<void> => sleep((seconds * 1000) / SAMPLES);
  const balance = await middlewareSoak({ ...options, nextSample, onSample: tellSample });
  const long = seconds >= LEVEL_AFTER;
  const { sent, answered, abandoned, last, samples } = balance;
  console.log({ sent, answered, abandoned, ...last });
  const level = levels(samples);
  if (level !== undefined) {
    for (const what of ['heapUsed', 'external', 'rss'] as const)
      console.log(`${what}: ${inMb(level.early[what])} in the second fifth, ${inMb(level.late[what])} in the last`);
  }
  conclude(middlewareComplaints({ ...options, long }, balance));
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
