import { fuzzCommand } from '../support/fuzz-command.js';
import { asCase, differences } from './differential.js';

const usage = `npm run fuzz -- [options]     random connections on both doors: exit code 1 when they differ
  --count 20000   connections
  --seed 7        the same connections again (default: a random one, which is printed)`;

void fuzzCommand({ usage, unit: 'connections', differences, told: asCase });
