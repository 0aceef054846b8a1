import type http = require('node:http');
import type http2 = require('node:http2');
import { lazy, onFirstUse } from '../core/lazy.js';
import { http2IsLoaded } from '../http2/in-use.js';
import { kTwinOf } from '../core/twin.js';
import type { Request, Application, Response } from './shape.js';

/** Loads HTTP/2, and with it `node:http2`, on first use. */
export const loadHttp2 = onFirstUse(() => (require('../http2/host.js') as typeof import('../http2/host.js')).http2Host);

// Where nothing has loaded `node:http2`, no request comes by it.
lazy(() => http2IsLoaded() && loadHttp2());

/** Whether a request came by HTTP/2; node or Nonstop may have made the object. */
export function isHttp2Request(req: http.IncomingMessage): boolean {
  return req.httpVersionMajor === 2 && (kTwinOf in req || typeof (req as { stream?: unknown }).stream === 'object');
}

/**
 * Whether a server speaks HTTP/2. It checks for a method that HTTP/1 servers do not have, which needs no module to be
 * loaded.
 */
export function isHttp2Server(server: object): server is http2.Http2SecureServer {
  return 'updateSettings' in server && loadHttp2().isHttp2Server(server);
}

/**
 * Turns a request and response that node made into messages of this package. The first one that an application sees does
 * this for all later ones of its server, too.
 */
export function takeHttp2(req: Request, res: Response, takeOver: (server: http.Server) => void): void {
  const h2 = loadHttp2();
  const session = h2.sessionOf(req as never) as http2.ServerHttp2Session | undefined;
  if (!h2.isOurs(req)) h2.takeRequest(req as never, res as never);
  const server = (session as { server?: http.Server } | undefined)?.server;
  if (session === undefined || server === undefined || h2.isHttp2Decided(server)) return;
  takeOver(server);
  h2.adoptSession(server, session);
}

/** Gives a `node:http2` server messages that inherit from the application's prototypes. */
export function serveHttp2(server: http2.Http2SecureServer, app: Application): void {
  const { request, response } = app;
  loadHttp2().accelerateHttp2(server, { request, response, listener: app }, app.get('http engine') !== 'node');
}
