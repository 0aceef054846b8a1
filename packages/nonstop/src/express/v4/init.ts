import type http = require('node:http');
import { prepare } from '../handle.js';
import type { Application } from '../shape.js';

type Middleware = (req: http.IncomingMessage & { next?: unknown }, res: http.ServerResponse, next: () => void) => void;

/** Makes the first middleware of an application's router: it gives requests and responses the application's prototypes. */
export function initMiddleware(app: Application): Middleware {
  return function expressInit(req, res, next) {
    prepare(app, req, res);
    req.next = next;
    next();
  };
}
