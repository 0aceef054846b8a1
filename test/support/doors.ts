import http = require('node:http');
import https = require('node:https');
import { accelerate } from './subject.js';

export type CreateServer = (options: http.ServerOptions, listener?: http.RequestListener) => http.Server;
export type CreateSecureServer = (options: https.ServerOptions, listener?: http.RequestListener) => https.Server;

/** One way of serving: the same genuine server object, with node's HTTP behind it or the engine. */
export interface Door {
  readonly name: 'node:http' | 'engine';
  readonly createServer: CreateServer;
  readonly createSecureServer: CreateSecureServer;
}

// With the engine switched off both doors are node:http: the tests then prove that every scenario gives the same
// transcript twice, so that a difference seen without the switch is the engine's.
const engineOff = process.env['NONSTOP_ENGINE'] === 'node';

function accelerated<S extends http.Server>(server: S): S {
  if (!engineOff && !accelerate(server)) throw new Error('accelerate() did not take this server over');
  return server;
}

/** node:http first: it is the oracle. */
export const doors: readonly [oracle: Door, engine: Door] = [
  {
    name: 'node:http',
    createServer: (options, listener) => http.createServer(options, listener),
    createSecureServer: (options, listener) => https.createServer(options, listener),
  },
  {
    name: 'engine',
    createServer: (options, listener) => accelerated(http.createServer(options, listener)),
    createSecureServer: (options, listener) => accelerated(https.createServer(options, listener)),
  },
];
