import type http = require('node:http');
import type { Untyped } from './untyped.js';

/** The members of the messages of all channels of Nonstop. */
interface Traced {
  /** The request. It is the same object in all messages of a request. */
  readonly req: http.IncomingMessage;
  /** Its response. */
  readonly res: http.ServerResponse;
}

/** The message of `tracing:nonstop.request:*`: one request in an application. The same object in all events of one trace. */
export interface TracedRequest extends Traced {
  /** The outermost application. */
  readonly app: Untyped;
  /**
   * The pattern of the route that answered, with the mount paths of its routers: `/users/:id`. For a handler without a route it is the mount path
   * with `/*`. Empty until `asyncEnd`, and if no handler took the request.
   */
  route: string;
  /** Only in `error` and the events after it: the error that no error handler took. */
  error?: unknown;
}

/** The message of `tracing:nonstop.route:*`: one route that matched, until its last handler calls `next` or the response is closed. */
export interface TracedRoute extends Traced {
  /** The pattern of the route, with the mount paths of its routers. */
  readonly route: string;
  /** Only in `error` and the events after it: the error with which the route was left. */
  error?: unknown;
}

/** The message of `tracing:nonstop.layer:*`: one call of a handler, until it calls `next` or the response is closed. */
export interface TracedLayer extends Traced {
  /** `router` for a router and for a mounted application, `error` for an error handler, `handler` for a handler of a route. */
  readonly type: 'error' | 'handler' | 'middleware' | 'router';
  /** The name of the handler's function, or `<anonymous>`. */
  readonly name: string;
  /** The path that it was added with, with the mount paths of its routers. */
  readonly path: string;
  /** Only in `error` and the events after it: the error that it threw, rejected with or gave to `next`. */
  error?: unknown;
}

/** The message of `nonstop.error`: an error that a handler threw, rejected with or gave to `next`, once for each request. */
export interface TracedError extends Traced {
  /** The error, of any type. */
  readonly error: unknown;
  /** The pattern of the route, as in {@link TracedRequest}. */
  readonly route: string;
}
