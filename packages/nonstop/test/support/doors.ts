import http = require('node:http');
import https = require('node:https');
import { promise, type By } from './served.js';
import { accelerate } from './subject.js';

export type CreateServer = (options: http.ServerOptions, listener?: http.RequestListener) => http.Server;
export type CreateSecureServer = (options: https.ServerOptions, listener?: http.RequestListener) => https.Server;

/**
 * One way of serving: the same genuine server object, served by node's HTTP or by the engine. Each request of a door's server is
 * counted, and a request through the other door is an uncaught error.
 */
export interface Door {
  readonly name: By;
  /** Who actually serves: the engine's door has node:http too while the engine is switched off. */
  readonly serves: By;
  readonly createServer: CreateServer;
  readonly createSecureServer: CreateSecureServer;
}

// With the engine switched off both doors are node:http: the tests then prove that every scenario gives the same
// transcript twice, so that any difference seen otherwise comes from the engine.
const engineOff = process.env['NONSTOP_ENGINE'] === 'node';

function accelerated<S extends http.Server>(server: S): S {
  if (engineOff) return promise(server, 'node:http');
  if (!accelerate(server)) throw new Error('accelerate() did not take this server over');
  return promise(server, 'engine');
}

/** node:http is first: it is the oracle. */
export const doors: readonly [oracle: Door, engine: Door] = [
  {
    name: 'node:http',
    serves: 'node:http',
    createServer: (options, listener) => promise(http.createServer(options, listener), 'node:http'),
    createSecureServer: (options, listener) => promise(https.createServer(options, listener), 'node:http'),
  },
  {
    name: 'engine',
    serves: engineOff ? 'node:http' : 'engine',
    createServer: (options, listener) => accelerated(http.createServer(options, listener)),
    createSecureServer: (options, listener) => accelerated(https.createServer(options, listener)),
  },
];
