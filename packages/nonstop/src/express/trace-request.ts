import type http = require('node:http');
import { requests } from '../routing/channels.js';
import { routePattern } from '../routing/route-pattern.js';
import type { Next, RoutedRequest } from '../routing/shapes.js';
import { trace } from '../routing/trace.js';
import type { TracedRequest } from '../types/tracing.js';
import { lastOf } from './final-handler.js';
import type { Application } from './shape.js';

interface Traced {
  readonly app: Application;
  readonly router: { handle(req: RoutedRequest, res: http.ServerResponse, done: Next): void };
  readonly req: RoutedRequest;
  readonly res: http.ServerResponse;
}

const seen = new WeakSet<object>();

/**
 * Sends a request through the application's router, and publishes that to `tracing:nonstop.request:*`. For an application that is mounted in
 * another one nothing is published: the trace is the outer application's.
 *
 * @param done of another framework, which goes on with the request; without it, the response is 404 or an error page
 */
export function traceRequest({ app, router, req, res }: Traced, done?: Next): void {
  const last = done ?? lastOf(app, req, res);
  if (seen.has(req)) return router.handle(req, res, last);
  seen.add(req);
  const message: TracedRequest = { req: req as object as http.IncomingMessage, res, app, route: '' };
  const complete = (): void => {
    message.route = routePattern(req);
  };
  const answer: Next = (error) => {
    if (error) {
      message.error = error;
      requests.error.publish(message);
    }
    last(error);
  };
  const run = (next: Next): void => router.handle(req, res, done ? next : answer);
  trace(requests, message, { next: last, run, complete });
}
