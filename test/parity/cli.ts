import { parseArgs } from 'node:util';
import { asProgram, differences } from './random-apps.js';

/** `npm run fuzz:apps -- --count 50000 --seed 7`: exit code 1 when Nonstop and Express differ. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  });
  const [seed, count] = [Number(values.seed), Number(values.count)];
  console.log(`seed ${seed}, ${count} answers`);
  const found = await differences({ seed, count, progress: (done) => console.log(`  ${done}`) });
  for (const difference of found) console.log(`\n${asProgram(difference)}`);
  console.log(found.length === 0 ? 'no difference' : `\n${found.length} differences`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

void main();
