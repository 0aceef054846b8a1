// Loaded before a foreign program: `nonstop/http/register`, and at the end of each of its processes a line with who answered.
import { appendFileSync } from 'node:fs';
import path = require('node:path');
import { hearRequests } from '../support/served.js';
import { explainAcceleration, subject } from '../support/subject.js';

require(path.join(subject, 'http', 'register.js'));

const file = process.env['CONFORMANCE_TALLY'];
/** Requests by who answered: `engine`, `node:http`, or the reason for which a server was left to node. */
const tally: Record<string, number> = {};

hearRequests((by, server) => {
  const key = by === 'engine' ? by : (explainAcceleration(server).reason ?? by);
  tally[key] = (tally[key] ?? 0) + 1;
});

process.on('exit', () => {
  if (file !== undefined && Object.keys(tally).length > 0) appendFileSync(file, `${JSON.stringify(tally)}\n`);
});
