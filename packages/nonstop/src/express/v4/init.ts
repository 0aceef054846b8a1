import type http = require('node:http');
import { prepare } from '../handle.js';
import type { Application } from '../shape.js';

type Middleware = (req: http.IncomingMessage & { next?: unknown }, res: http.ServerResponse, next: () => void) => void;

/** Makes the middleware with which the router of an application begins: it makes requests and responses the application's. */
export function initMiddleware(app: Application): Middleware {
  return function expressInit(req, res, next) {
    prepare(app, req, res);
    req.next = next;
    next();
  };
}
