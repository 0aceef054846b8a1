import { once } from 'node:events';
import type http = require('node:http');
import Module = require('node:module');
import type net = require('node:net');
import path = require('node:path');
import { afterEach } from 'node:test';
import { inRepo } from '../support/paths.js';
import { promise } from '../support/served.js';

/** A recipe's application, or a function that creates it. */
type App = (req: http.IncomingMessage, res: http.ServerResponse) => void;
export interface Listening extends App {
  listen(port: number, host: string): http.Server;
  locals: { endFeeds?: () => void };
}

interface ModuleInternals {
  _load: (request: string, ...rest: unknown[]) => unknown;
}
const internals = Module as unknown as ModuleInternals;

/** Loads a recipe's file again; with Express instead of Nonstop if `framework` says so. */
export function load(file: string, framework: string): unknown {
  const { _load: plain } = internals;
  // `_load` is replaced rather than the resolver, because node caches resolved names by folder.
  if (framework === 'Express')
    internals._load = (name, ...rest) => plain(name === 'nonstop' ? 'express' : name, ...rest);
  try {
    const found = inRepo('examples', file);
    for (const name of Object.keys(require.cache)) {
      if (name.startsWith(path.dirname(found) + path.sep)) delete require.cache[name];
    }
    return require(found) as unknown;
  } finally {
    internals._load = plain;
  }
}

const open = new Set<http.Server>();

/** Waits until a server listens. @returns its address, without a slash at the end */
export async function address(server: http.Server, framework = 'Express'): Promise<string> {
  open.add(server);
  if (framework === 'Nonstop') promise(server, 'engine');
  if (!server.listening) await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of open) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  open.clear();
});

export const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
