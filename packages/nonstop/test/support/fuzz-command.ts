import { run } from './command-line.js';
import { doors } from './doors.js';
import { served } from './served.js';

/** A source of random cases, which two sides must answer in the same way. */
interface Fuzzing<D> {
  /** Printed for invalid arguments; the options are `--count` and `--seed`. */
  readonly usage: string;
  /** The plural of what is counted, such as `connections`. */
  readonly unit: string;
  /** @returns the cases that the sides answered differently */
  readonly differences: (run: { seed: number; count: number; progress: (done: number) => void }) => Promise<D[]>;
  /** @returns a difference in a form that can be run again */
  readonly told: (difference: D) => string;
  /** The number of requests that each side has served; those of the doors if it is left out. */
  readonly servedBy?: () => Readonly<Record<string, number>>;
}

export function servedByDoors(): Record<string, number> {
  const count = served();
  return Object.fromEntries(doors.map(({ serves }) => [serves, count[serves]]));
}

/** A command that compares random cases and prints the differences; exit status 1 if there are any. */
export function fuzzCommand<D>({
  usage,
  unit,
  differences,
  told,
  servedBy = servedByDoors,
}: Fuzzing<D>): Promise<void> {
  return run(async ({ readCommandLine, whole }) => {
    const { values } = readCommandLine(usage, { count: { type: 'string' }, seed: { type: 'string' } });
    const count = whole('count', values.count) ?? 20_000;
    const seed = whole('seed', values.seed) ?? 1 + Math.floor(Math.random() * 2 ** 31);
    console.log(`seed ${seed}, ${count} ${unit}`);
    const found = await differences({ seed, count, progress: (done) => console.log(`  ${done}`) });
    for (const difference of found) console.log(`\n${told(difference)}`);
    for (const [side, requests] of Object.entries(servedBy())) {
      console.log(`${requests} requests were served by ${side}`);
      if (requests === 0) throw new Error(`${side} has served nothing`);
    }
    console.log(found.length === 0 ? 'no difference' : `\n${found.length} differences`);
    // Not by itself: after thousands of reset connections Node 20 may wait for ever in the clean-up of its handles, at 100 % of a core,
    // with node:http on both sides too.
    process.exit(found.length === 0 ? 0 : 1);
  });
}
