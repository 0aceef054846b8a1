import { fuzzCommand, servedByDoors } from '../support/fuzz-command.js';
import { asProgram, differences } from './random-apps.js';
import { answeredOverHttp2 } from './random-apps-http2.js';

const usage = `npm run fuzz:apps -- [options]     random applications under both: exit code 1 when Nonstop and Express differ
  --count 20000   answers
  --seed 7        the same applications again (default: a random one, which is printed)`;

void fuzzCommand({
  usage,
  unit: 'answers',
  differences,
  told: asProgram,
  servedBy: () => ({ ...servedByDoors(), 'the engine over HTTP/2': answeredOverHttp2() }),
});
