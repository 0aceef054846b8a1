import type http = require('node:http');
import type { Socket } from 'node:net';
import { NodeHttpServer } from './classes.js';
import { valueUnder } from './symbols.js';

const sample = new NodeHttpServer();

/** Whether this Node reads `server.keepAliveTimeoutBuffer` (Node 22.19 and 24.6). */
export const HAS_KEEP_ALIVE_BUFFER = 'keepAliveTimeoutBuffer' in sample;

/** Whether this Node calls `server.shouldUpgradeCallback` (Node 22.21, 24.9 and later). */
export const HAS_UPGRADE_CALLBACK = Object.hasOwn(sample, 'shouldUpgradeCallback');

/** node's listener for the connections of an HTTP server, read from a new server. */
export const nodeListener = sample.listeners('connection')[0] as (this: http.Server, socket: Socket) => void;

/** Whether a server makes its messages of node's class with this name, or of one that it does not tell. */
export function hasClass(server: http.Server, name: 'IncomingMessage' | 'ServerResponse', expected: unknown): boolean {
  const found = valueUnder(server, name);
  return found === undefined || found === expected;
}

/** The option `uniqueHeaders`, as node stores it: a set of names in lower case, or null. */
export function uniqueHeadersOf(server: http.Server): unknown {
  return valueUnder(server, 'kUniqueHeaders');
}

/** The option `optimizeEmptyRequests` (Node 24 and later). */
export function optimizesEmptyRequests(server: http.Server): boolean {
  return valueUnder(server, 'OptimizeEmptyRequestsOption') === true;
}
