import type http = require('node:http');
import { host } from '../http/host.js';
import { isHttp2Server, loadHttp2, serveHttp2 } from './http2.js';
import type { Application } from './shape.js';

/** Lets the engine serve the application's server, unless the user chose node. A mounted application inherits the choice. */
export function takeOver(server: http.Server, app: Application): void {
  if (isHttp2Server(server)) serveHttp2(server, app);
  else if (app.get('http engine') === 'node') host.leaveToNode(server);
  else host.accelerate(server, { request: app.request, response: app.response, listener: app });
}

/**
 * Takes over the server of a request that node made: the user called `http.createServer(app)`. The first request of the
 * server stays with node, and so does each that came on a connection of node's. Such a connection moves to the engine
 * after the response.
 */
export function takeOverServerOf(req: http.IncomingMessage, res: http.ServerResponse, app: Application): void {
  const prototype: unknown = Object.getPrototypeOf(req);
  if (prototype !== host.NodeRequest.prototype && prototype !== host.IncomingMessage.prototype) return;
  const server = (req.socket as { server?: http.Server } | undefined)?.server;
  if (typeof server !== 'object' || server === null) return;
  if (!isServerDecided(server)) takeOver(server, app);
  if (prototype === host.NodeRequest.prototype) host.handOver(server, res);
}

function isServerDecided(server: http.Server): boolean {
  return isHttp2Server(server) ? loadHttp2().isHttp2Decided(server) : host.isDecided(server);
}
