import type { NextFunction } from './handlers.js';
import type { Path, PathParams } from './params-from-path.js';
import type { Request } from './request.js';
import type { Response } from './response.js';
import type { ILayer, IRouterHandler } from './router.js';

/**
 * One path and the handlers of its methods: what `app.route(path)` and `router.route(path)` give.
 *
 * Each of `get`, `post`, … adds handlers for the HTTP method of its name and gives the route back.
 *
 * @typeParam Pattern the path, from which `req.params` is inferred
 * @see https://expressjs.com/en/5x/api.html#app.route
 */
export interface IRoute<Pattern extends Path = string> {
  /** The path as it was given. */
  path: string;

  /** The handlers in order; `method` says for which HTTP method. */
  stack: ILayer[];

  /** Every method. */
  all: IRouterHandler<this, Pattern>;
  /** GET, and HEAD where the route has no handler of its own for it. */
  get: IRouterHandler<this, Pattern>;
  /** HEAD; without a route of its own, those for GET answer it. */
  head: IRouterHandler<this, Pattern>;
  /** POST. */
  post: IRouterHandler<this, Pattern>;
  /** PUT. */
  put: IRouterHandler<this, Pattern>;
  /** PATCH (RFC 5789). */
  patch: IRouterHandler<this, Pattern>;
  /** DELETE. */
  delete: IRouterHandler<this, Pattern>;
  /** OPTIONS. */
  options: IRouterHandler<this, Pattern>;

  /** CHECKOUT (RFC 3253). */
  checkout: IRouterHandler<this, Pattern>;
  /** COPY (RFC 4918). */
  copy: IRouterHandler<this, Pattern>;
  /** LOCK (RFC 4918). */
  lock: IRouterHandler<this, Pattern>;
  /** M-SEARCH (UPnP). */
  'm-search': IRouterHandler<this, Pattern>;
  /** MERGE (RFC 3253). */
  merge: IRouterHandler<this, Pattern>;
  /** MKACTIVITY (RFC 3253). */
  mkactivity: IRouterHandler<this, Pattern>;
  /** MKCOL (RFC 4918). */
  mkcol: IRouterHandler<this, Pattern>;
  /** MOVE (RFC 4918). */
  move: IRouterHandler<this, Pattern>;
  /** NOTIFY (UPnP). */
  notify: IRouterHandler<this, Pattern>;
  /** PURGE, as caches understand it. */
  purge: IRouterHandler<this, Pattern>;
  /** REPORT (RFC 3253). */
  report: IRouterHandler<this, Pattern>;
  /** SEARCH (RFC 5323). */
  search: IRouterHandler<this, Pattern>;
  /** SUBSCRIBE (UPnP). */
  subscribe: IRouterHandler<this, Pattern>;
  /** TRACE. */
  trace: IRouterHandler<this, Pattern>;
  /** UNLOCK (RFC 4918). */
  unlock: IRouterHandler<this, Pattern>;
  /** UNSUBSCRIBE (UPnP). */
  unsubscribe: IRouterHandler<this, Pattern>;
}

/** A route of this package: an {@link IRoute} and what the known types leave out. */
export interface Route<Pattern extends Path = string> extends IRoute<Pattern> {
  /** The methods that have handlers, lower case; `_all` for {@link IRoute.all}. */
  methods: Record<string, boolean>;

  /**
   * Runs the handlers of the request's method, one after another.
   *
   * @param done called when none has answered, with the error if there was one
   */
  dispatch(req: Request, res: Response, done: NextFunction): void;

  /** ACL (RFC 3744). */
  acl: IRouterHandler<this, Pattern>;
  /** The HTTP method BIND (RFC 5842). */
  bind: IRouterHandler<this, Pattern>;
  /** CONNECT. Reached only where the server hands that method to its requests: node emits `connect` instead. */
  connect: IRouterHandler<this, Pattern>;
  /** LINK (RFC 2068). */
  link: IRouterHandler<this, Pattern>;
  /** MKCALENDAR (RFC 4791). */
  mkcalendar: IRouterHandler<this, Pattern>;
  /** PROPFIND (RFC 4918). */
  propfind: IRouterHandler<this, Pattern>;
  /** PROPPATCH (RFC 4918). */
  proppatch: IRouterHandler<this, Pattern>;
  /** QUERY: GET with a body. There where `http.METHODS` of the running Node has it. */
  query?: IRouterHandler<this, Pattern>;
  /** REBIND (RFC 5842). */
  rebind: IRouterHandler<this, Pattern>;
  /** SOURCE, as Icecast understands it. */
  source: IRouterHandler<this, Pattern>;
  /** UNBIND (RFC 5842). */
  unbind: IRouterHandler<this, Pattern>;
  /** UNLINK (RFC 2068). */
  unlink: IRouterHandler<this, Pattern>;
}

/** `express.Route`: makes a route that belongs to no router yet. Its `prototype` is what all routes inherit. */
export interface RouteConstructor {
  /** Makes a route for a path; `router.route(path)` makes one that belongs to the router. */
  new <Pattern extends Path>(path: Pattern): Route<Pattern>;
  new (path: PathParams): Route;
  /** What all routes inherit; what is added to it, they have. */
  readonly prototype: Route;
}
