import { parseArgs } from 'node:util';
import { doors } from '../support/doors.js';
import { complaints, soak } from './soak.js';

/** `npm run soak -- --seconds 60 --clients 300`: exit code 1 when the books do not balance. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      clients: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      door: { type: 'string', default: 'engine' },
    },
  });
  const door = doors.find(({ name }) => name === values.door);
  if (door === undefined)
    throw new Error(`no such door: ${values.door}; there are ${doors.map(({ name }) => name).join(' and ')}`);
  const end = Date.now() + Number(values.seconds) * 1000;
  const balance = await soak({
    door,
    clients: Number(values.clients),
    seed: Number(values.seed),
    over: () => Date.now() > end,
  });
  const { sent, answered, abandoned, tally, heapGrowth } = balance;
  console.log({ door: door.name, sent, answered, abandoned, ...tally, heapGrowth });
  const wrong = complaints(balance);
  for (const complaint of wrong) console.log(`  ${complaint}`);
  console.log(wrong.length === 0 ? 'the books balance' : `${wrong.length} complaints`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

void main();
