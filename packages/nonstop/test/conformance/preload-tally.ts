// Loaded with `--require` before another project's program: writes at the end of each process who served its requests.
import { appendFileSync } from 'node:fs';
import type http = require('node:http');
import { hearRequests, madeBy, type By } from '../support/served.js';
import type { Tally } from './tally.js';

const file = process.env['CONFORMANCE_TALLY'];
const tally: Tally = { engine: 0, 'node:http': 0, left: 0 };
const left = new WeakSet<http.Server>();

/** The engine has refused this server: requests that node:http serves on it are counted separately. */
export function leftToNode(server: http.Server): void {
  left.add(server);
}

/** Counts an upgraded request: these are not published on the channel. */
export function countHandedOver(server: http.Server, request: object): void {
  count(madeBy(request), server);
}

function count(by: By, server: http.Server): void {
  tally[by === 'node:http' && left.has(server) ? 'left' : by]++;
}

hearRequests(count);
// One line for each process: child processes count too.
process.on('exit', () => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(tally)}\n`);
});
