import { fuzzCommand } from '../support/fuzz-command.js';
import { asProgram, differences } from './random-apps.js';

const usage = `npm run fuzz:apps -- [options]     random applications under both: exit code 1 when Nonstop and Express differ
  --count 20000   answers
  --seed 7        the same applications again (default: a random one, which is printed)`;

void fuzzCommand({ usage, unit: 'answers', differences, told: asProgram });
