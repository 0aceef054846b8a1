import type http = require('node:http');
import type { Next, RoutedRequest } from '../routing/shapes.js';
import { host } from '../http/host.js';
import { lookForListeners } from '../routing/channels.js';
import { plainHandle, walk, type Router } from '../routing/router.js';
import { finalAnswersOf, lastOf } from './final-handler.js';
import { givePrototypes } from './mount.js';
import type { Request, Application, Response } from './shape.js';
import { traceRequest } from './trace-request.js';

const X_POWERED_BY = host.knownField('X-Powered-By');

/**
 * Sends a request through the application.
 *
 * @param done called when no handler responded; without it, the response is 404 or an error page
 */
export function handle(this: Application, req: http.IncomingMessage, res: http.ServerResponse, done?: Next): void {
  prepare(this, req, res);
  const router = this.router as Router;
  const routed = req as RoutedRequest;
  if (lookForListeners()) return traceRequest({ app: this, router, req: routed, res }, done);
  // Instrumentation may have patched the router's `handle`, which then needs a function as callback.
  if (done) router.handle(routed, res, done);
  else if (router.handle === plainHandle) walk(router, routed, res, finalAnswersOf(this));
  else router.handle(routed, res, lastOf(this, routed, res));
}

/** Makes a request and its response those of the application. */
export function prepare(app: Application, req: http.IncomingMessage, res: http.ServerResponse): void {
  if (app.enabled('x-powered-by')) host.setKnown(res, X_POWERED_BY, 'Express');
  const request = req as Request;
  const response = res as Response;
  request.res = response;
  const isOurs = Object.getPrototypeOf(request) === app.request && request.app === app;
  response.req = request;
  // The engine makes messages with the application's prototypes: changing a prototype costs 10 µs and more on Node 20.
  if (!isOurs || Object.getPrototypeOf(response) !== app.response || response.app !== app) {
    givePrototypes(app, request, response);
  }
  if (!response.locals) response.locals = Object.create(null) as object;
}
