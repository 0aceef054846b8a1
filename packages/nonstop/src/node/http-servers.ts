import type http = require('node:http');
import net = require('node:net');
import { NodeHttpServer } from './classes.js';
import { symbolOf, valueUnder } from './symbols.js';

const sample = new NodeHttpServer();

/** Whether this Node reads `server.keepAliveTimeoutBuffer` (Node 22.19 and 24.6). */
export const HAS_KEEP_ALIVE_BUFFER = 'keepAliveTimeoutBuffer' in sample;

/** Whether this Node calls `server.shouldUpgradeCallback` (Node 22.21, 24.9 and later). */
export const HAS_UPGRADE_CALLBACK = Object.hasOwn(sample, 'shouldUpgradeCallback');

/** node's listener for the connections of an HTTP server, read from a new server; undefined if a Node has it under another name. */
export const nodeListener = sample.listeners('connection').find(({ name }) => name === 'connectionListener') as (
  this: http.Server,
  socket: net.Socket,
) => void;

/** Whether a server makes its messages with one of the classes. True also if its class is not known. */
export function hasClass(
  server: http.Server,
  name: 'IncomingMessage' | 'ServerResponse',
  ...expected: readonly unknown[]
): boolean {
  const found = valueUnder(server, name);
  return found === undefined || expected.includes(found);
}

/** Makes the messages of a server with `own`, a class below node's, where they would be of node's. */
export function putClass(server: object, name: 'IncomingMessage' | 'ServerResponse', own: object): void {
  const key = symbolOf(server, name);
  if (key !== undefined && Reflect.get(server, key) === Object.getPrototypeOf(own)) Reflect.set(server, key, own);
}

/** The option `uniqueHeaders`, as node stores it: a set of names in lower case, or null. */
export function uniqueHeadersOf(server: http.Server): unknown {
  return valueUnder(server, 'kUniqueHeaders');
}

/** The option `optimizeEmptyRequests` (Node 24 and later). */
export function optimizesEmptyRequests(server: http.Server): boolean {
  return valueUnder(server, 'OptimizeEmptyRequestsOption') === true;
}

/** What a server has besides the state of any server of `node:net`. */
const KNOWN_MEMBERS = new Set<string>(
  (
    'maxHeaderSize insecureHTTPParser httpValidation requestTimeout headersTimeout keepAliveTimeout keepAliveTimeoutBuffer ' +
    'connectionsCheckingInterval requireHostHeader joinDuplicateHeaders rejectNonStandardBodyWrites shouldUpgradeCallback ' +
    'httpAllowHalfOpen timeout maxHeadersCount maxRequestsPerSocket ' +
    // Symbols.
    'IncomingMessage ServerResponse kUniqueHeaders OptimizeEmptyRequestsOption'
  ).split(' '),
);

const memberName = (key: PropertyKey): string => (typeof key === 'symbol' ? (key.description ?? '') : String(key));
const ofAnyServer = new Set(Reflect.ownKeys(new net.Server()).map(memberName));
const unknownMembers = Reflect.ownKeys(sample).filter(
  (key) => !KNOWN_MEMBERS.has(memberName(key)) && !ofAnyServer.has(memberName(key)),
);

/** Whether a server was made with an option of a later Node, which the engine would not follow. */
export function hasUnknownOption(server: http.Server): boolean {
  return unknownMembers.some((key) => !isAlike(Reflect.get(server, key), Reflect.get(sample, key)));
}

/** Whether a value is the default. Each server may have an object of its own, or a function with the same source. */
function isAlike(value: unknown, usual: unknown): boolean {
  if (value === usual || typeof value !== typeof usual) return value === usual;
  if (typeof value === 'function') return Function.prototype.toString.call(value) === String(usual);
  return typeof value === 'object' && value !== null && usual !== null;
}
