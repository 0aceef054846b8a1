// Loaded with `--require` before a foreign program: writes down at its end who served the program's requests.
import { appendFileSync } from 'node:fs';
import type http = require('node:http');
import { hearRequests, madeBy, type By } from '../support/served.js';
import type { Tally } from './tally.js';

const file = process.env['CONFORMANCE_TALLY'];
const tally: Tally = { engine: 0, 'node:http': 0, left: 0 };
const left = new WeakSet<http.Server>();

/** The engine has refused this server: what node:http serves of it is counted apart. */
export function leftToNode(server: http.Server): void {
  left.add(server);
}

/** Counts a request that has left HTTP: those are not published. */
export function countHandedOver(server: http.Server, request: object): void {
  count(madeBy(request), server);
}

function count(by: By, server: http.Server): void {
  tally[by === 'node:http' && left.has(server) ? 'left' : by]++;
}

hearRequests(count);
// A line for each process: the program's children are counted with it.
process.on('exit', () => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(tally)}\n`);
});
