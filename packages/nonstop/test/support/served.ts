import diagnostics = require('node:diagnostics_channel');
import type http = require('node:http');
import type net = require('node:net');

/** Whose code created the request object and wrote the answer. */
export type By = 'engine' | 'node:http';

/** The number of requests that each has answered. */
export type Served = Record<By, number>;

/** @returns who created a request: the engine keeps a connection under this symbol in each of its requests, in all copies of the package */
export function madeBy(request: object): By {
  const marked = Object.getOwnPropertySymbols(request).some(({ description }) => description === 'nonstop.connection');
  return marked ? 'engine' : 'node:http';
}

/**
 * @returns who reads a connection that was passed to a server's `'connection'` listeners: node:http keeps its parser on the
 * socket, the engine keeps nothing there (docs/compat)
 */
export function holderOf(socket: net.Socket): By {
  return (socket as { parser?: unknown }).parser != null ? 'node:http' : 'engine';
}

/**
 * Called for each request of the process before any handler, except for those that leave HTTP (`'upgrade'` and `'connect'`).
 * node:http and the engine publish requests on the same channel when they serve them, so only served requests are counted.
 */
export function hearRequests(hear: (by: By, server: http.Server) => void): void {
  diagnostics.subscribe('http.server.request.start', (message) => {
    const { request, server } = message as { request: object; server: http.Server };
    hear(madeBy(request), server);
  });
}

const promised = new WeakMap<http.Server, By>();

/** Requests of the promised servers so far. */
const counted: Served = { engine: 0, 'node:http': 0 };
let hears = false;

/**
 * From now on `by` must serve each request of `server`. A request that the other door serves is an uncaught error, which ends the test
 * file or the command.
 */
export function promise<S extends http.Server>(server: S, by: By): S {
  if (!hears) hearRequests(check);
  hears = true;
  promised.set(server, by);
  return server;
}

/** @returns how many requests the servers given to {@link promise} have served, by who served them */
export function served(): Readonly<Served> {
  return counted;
}

function check(by: By, server: http.Server): void {
  const wanted = promised.get(server);
  if (wanted === undefined) return;
  counted[by]++;
  if (by !== wanted) throw new Error(`a request was served by ${by}; the test says that ${wanted} serves them`);
}
