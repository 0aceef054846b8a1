import http = require('node:http');
import http2 = require('node:http2');
import https = require('node:https');
import type net = require('node:net');
import path = require('node:path');
import { labRoot } from '../paths.js';

/** Events of a server of HTTP/1.1 that an application listens to. */
const EVENTS = new Set<string | symbol>([
  'request',
  'checkContinue',
  'checkExpectation',
  'connect',
  'upgrade',
  'clientError',
]);

/** Whether it is a server of HTTP/1.1, with or without TLS. */
export function isHttp1Server(server: net.Server): server is http.Server {
  return server instanceof http.Server || server instanceof https.Server;
}

type Listener = (...args: unknown[]) => void;

/**
 * Makes a server of HTTP/2 and HTTP/1.1 over TLS that replaces an application's own server, with its listeners, also those that are added
 * later. The application's server never listens, but acts as if it did.
 */
export function serveOverHttp2(own: http.Server): http2.Http2SecureServer {
  const certificate = require(path.join(labRoot, 'peers', 'certificate.js')) as { key: string; cert: string };
  const server = http2.createSecureServer({ ...certificate, allowHTTP1: true });
  for (const event of EVENTS) {
    for (const listener of own.listeners(event)) server.on(event as string, listener as Listener);
  }
  own.on('newListener', (event: string | symbol, listener: Listener) => {
    if (EVENTS.has(event)) server.on(event as string, listener);
  });
  const members: Pick<net.Server, 'address' | 'close'> = {
    address: () => server.address(),
    close(done) {
      server.close(done);
      return own;
    },
  };
  Object.assign(own, members);
  server.once('listening', () => {
    Object.defineProperty(own, 'listening', { value: true, configurable: true });
    own.emit('listening');
  });
  server.once('error', (error) => own.emit('error', error));
  return server;
}
