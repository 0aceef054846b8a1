import type http = require('node:http');
import type { Next, RoutedRequest } from '../routing/shapes.js';
import { host } from '../http/host.js';
import { plainHandle, walk } from '../routing/router.js';
import { finalAnswersOf } from './final-handler.js';
import { adopt } from './mount.js';
import type { Request, Application, Response } from './shape.js';

const X_POWERED_BY = host.knownField('X-Powered-By');

type Linked = { res: http.ServerResponse };

/**
 * Sends a request through the application.
 *
 * @param done gets what no handler has answered; without it, that becomes 404, or the page of the error
 */
export function handle(this: Application, req: http.IncomingMessage, res: http.ServerResponse, done?: Next): void {
  prepare(this, req, res);
  const { router } = this;
  const routed = req as unknown as RoutedRequest;
  // A router's `handle` may be patched, by instrumentation for one, and is to be called with a function then.
  if (done) router.handle(routed, res, done);
  else if (router.handle === plainHandle) walk(router, routed, res, finalAnswersOf(this));
  else router.handle(routed, res, lastOf(this, routed, res));
}

/** Makes a request and its response those of the application. */
export function prepare(app: Application, req: http.IncomingMessage, res: http.ServerResponse): void {
  if (app.enabled('x-powered-by')) host.setKnown(res, X_POWERED_BY, 'Express');
  (req as unknown as Linked).res = res;
  (res as unknown as { req: http.IncomingMessage }).req = req;
  // Those of the engine are made with the application's own prototypes; to change one costs 10 µs and more on Node 20.
  if (
    Object.getPrototypeOf(req) !== app.request ||
    Object.getPrototypeOf(res) !== app.response ||
    (req as Request).app !== app ||
    (res as Response).app !== app
  ) {
    adopt(app, req as Request, res as Response);
  }
  const response = res as Response;
  if (!response.locals) response.locals = Object.create(null) as object;
}

// A function of its own: what the closure holds on to would be put together for each request, closure or not.
export function lastOf(app: Application, req: RoutedRequest, res: http.ServerResponse): Next {
  return (error) => finalAnswersOf(app).answerLast(req, res, error);
}
