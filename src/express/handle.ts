import type http = require('node:http');
import type { Next, RoutedRequest } from '../routing/shapes.js';
import { answerLast } from './final-handler.js';
import { adopt } from './mount.js';
import type { Request } from './request/shape.js';
import type { Application, Response } from './shape.js';

type Linked = { res: http.ServerResponse };

/**
 * Sends a request through the application.
 *
 * @param done gets what no handler has answered; without it, that becomes 404, or the page of the error
 */
export function handle(this: Application, req: http.IncomingMessage, res: http.ServerResponse, done?: Next): void {
  const last = done ?? ((error: unknown) => answerLast(this, req, res, error));
  if (this.enabled('x-powered-by')) res.setHeader('X-Powered-By', 'Express');
  (req as unknown as Linked).res = res;
  (res as unknown as { req: http.IncomingMessage }).req = req;
  // Those of the engine are made with the application's own prototypes; to change one costs 10 µs and more on Node 20.
  if (
    Object.getPrototypeOf(req) !== this.request ||
    Object.getPrototypeOf(res) !== this.response ||
    (req as Request).app !== this ||
    (res as Response).app !== this
  ) {
    adopt(this, req as Request, res as Response);
  }
  const response = res as Response;
  if (!response.locals) response.locals = Object.create(null) as object;
  this.router.handle(req as unknown as RoutedRequest, res, last);
}
