import http = require('node:http');
import https = require('node:https');
import * as takeover from '../../src/http/takeover.js';

export type CreateServer = (options: http.ServerOptions, listener?: http.RequestListener) => http.Server;
export type CreateSecureServer = (options: https.ServerOptions, listener?: http.RequestListener) => https.Server;

/** One way of serving: the same genuine server object, with node's HTTP behind it or the engine. */
export interface Door {
  readonly name: 'node:http' | 'engine';
  readonly createServer: CreateServer;
  readonly createSecureServer: CreateSecureServer;
}

const nodeDoor: Door = {
  name: 'node:http',
  createServer: (options, listener) => http.createServer(options, listener),
  createSecureServer: (options, listener) => https.createServer(options, listener),
};

// Until the engine lands `accelerate` takes nothing over; the second door is then node:http again, which still
// proves that every scenario gives the same transcript twice.
const landed = takeover.accelerate(http.createServer());

function accelerated<S extends http.Server>(server: S): S {
  const taken = takeover.accelerate(server);
  if (landed && !taken) throw new Error('accelerate() did not take this server over');
  return server;
}

const engineDoor: Door = {
  name: 'engine',
  createServer: (options, listener) => accelerated(http.createServer(options, listener)),
  createSecureServer: (options, listener) => accelerated(https.createServer(options, listener)),
};

/** node:http first: it is the oracle. */
export const doors: readonly [oracle: Door, engine: Door] = [nodeDoor, engineDoor];
