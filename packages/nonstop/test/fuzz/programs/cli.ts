import { fuzzCommand } from '../../support/fuzz-command.js';
import { asScript, differences } from './differences.js';

const usage = `npm run fuzz:programs -- [options]     random programs on both doors: exit code 1 when they differ
  --count 20000   programs
  --seed 7        the same programs again (default: a random one, which is printed)`;

void fuzzCommand({
  usage,
  unit: 'programs',
  differences: async (run) => {
    const { groups, races } = await differences(run);
    console.log(`${races} programs that node:http does not run alike twice`);
    return [...groups];
  },
  told: asScript,
});
