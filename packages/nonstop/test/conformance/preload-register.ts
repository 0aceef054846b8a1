// Loaded before another project's program: loads `nonstop/http/register`. Each process writes a line with its counts when it ends.
import { appendFileSync } from 'node:fs';
import path = require('node:path');
import { hearRequests } from '../support/served.js';
import { explainAcceleration, subject } from '../support/subject.js';

require(path.join(subject, 'http', 'register.js'));

const file = process.env['CONFORMANCE_TALLY'];
/** Requests by who answered them: `engine`, `node:http`, or the reason why a server was left to node. */
const tally: Record<string, number> = {};

hearRequests((by, server) => {
  const key = by === 'engine' ? by : (explainAcceleration(server).reason ?? by);
  tally[key] = (tally[key] ?? 0) + 1;
});

process.on('exit', () => {
  if (file !== undefined && Object.keys(tally).length > 0) appendFileSync(file, `${JSON.stringify(tally)}\n`);
});
