import { fuzzCommand } from '../../support/fuzz-command.js';
import { served } from '../../support/served.js';
import { asScript, differences } from './differences.js';
import { servedStreams } from './play.js';

const usage = `npm run fuzz:streams -- [options]     random programs over HTTP/2 and on node:http: exit code 1 when they differ
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
  servedBy: () => ({ 'node:http': served()['node:http'], 'the engine over HTTP/2': servedStreams() }),
});
