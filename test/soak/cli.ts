import { run } from '../support/command-line.js';
import { doors, type Door } from '../support/doors.js';
import { served } from '../support/served.js';
import { ENDINGS, idle } from './idle.js';
import { complaints, soak } from './soak.js';

const names = doors.map(({ name }) => name).join(' or ');

const usage = `npm run soak -- [options]     misbehaving clients for a while: exit code 1 when the books do not balance
  --seconds 60
  --clients 300
  --seed 1
  --door engine   ${names}
  --idle 10000    in place of all that: so many idle connections, ended by close() and its kind`;

async function leaveIdle(door: Door, connections: number): Promise<void> {
  for (const ending of ENDINGS) {
    const started = performance.now();
    const { open, ended, left } = await idle({ door, connections, ending });
    console.log({ door: door.name, ending, open, ended, left, ms: Math.round(performance.now() - started) });
    if (open !== connections || ended !== connections || left !== 0) process.exitCode = 1;
  }
}

void run(async ({ readCommandLine, positive, whole }) => {
  const { values } = readCommandLine(usage, {
    seconds: { type: 'string' },
    clients: { type: 'string' },
    seed: { type: 'string' },
    door: { type: 'string' },
    idle: { type: 'string' },
  });
  const { door: wanted = 'engine' } = values;
  const door = doors.find(({ name }) => name === wanted);
  if (door === undefined) throw new Error(`--door takes ${names}, not '${wanted}'`);
  const clients = whole('clients', values.clients) ?? 300;
  const seed = whole('seed', values.seed) ?? 1;
  const connections = whole('idle', values.idle);
  if (connections !== undefined) return leaveIdle(door, connections);
  const end = Date.now() + (positive('seconds', values.seconds) ?? 60) * 1000;
  const balance = await soak({ door, clients, seed, over: () => Date.now() > end });
  const { sent, answered, abandoned, tally, heapGrowth } = balance;
  console.log({ door: door.name, served: served(), sent, answered, abandoned, ...tally, heapGrowth });
  const wrong = complaints(balance);
  for (const complaint of wrong) console.log(`  ${complaint}`);
  console.log(wrong.length === 0 ? 'the books balance' : `${wrong.length} complaints`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
});
