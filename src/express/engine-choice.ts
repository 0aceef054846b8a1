import http = require('node:http');
import { accelerate, isSettled, leaveToNode } from '../http/takeover.js';
import type { Application } from './shape.js';

/** Lets the engine serve the application's server, unless the user wants node: a mounted application inherits the choice. */
export function takeOver(server: http.Server, app: Application): void {
  if (wantsNode(app)) leaveToNode(server);
  else accelerate(server, { request: app.request, response: app.response });
}

/**
 * Takes over the server of a request that node made, the first time the application sees one: `http.createServer(app)` is the
 * user's own. This request, and what else is on its connection, stays with node.
 */
export function takeOverServerOf(req: http.IncomingMessage, app: Application): void {
  if (Object.getPrototypeOf(req) !== http.IncomingMessage.prototype) return;
  const server = (req.socket as { server?: http.Server } | undefined)?.server;
  if (typeof server === 'object' && server !== null && !isSettled(server)) takeOver(server, app);
}

function wantsNode(app: Application): boolean {
  return app.get('engine') === 'node' || process.env['NONSTOP_ENGINE'] === 'node';
}
