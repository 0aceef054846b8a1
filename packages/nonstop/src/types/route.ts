import type { NextFunction } from './handlers.js';
import type { Major, Named } from './majors.js';
import type { Path, PathParams } from './params-from-path.js';
import type { OwnRouterHandler } from './router.js';

/**
 * One path and the handlers of its methods: what `app.route(path)` and `router.route(path)` return.
 *
 * Each of `get`, `post`, … adds handlers for the HTTP method of its name and returns the route.
 *
 * @typeParam Pattern the path, from which `req.params` is inferred
 * @see https://expressjs.com/en/5x/api.html#app.route
 */
export interface IRoute<Pattern extends Path = string> extends OwnIRoute<5, Pattern> {}

/** An {@link IRoute} of either major. */
export interface OwnIRoute<M extends Major, Pattern extends Path> {
  /** The path as it was given. */
  path: string;

  /** The handlers in order; `method` says for which HTTP method. */
  stack: Named[M]['layer'][];

  /** Every method. */
  all: OwnRouterHandler<M, this, Pattern>;
  /** GET, and HEAD if the route has no handler for it. */
  get: OwnRouterHandler<M, this, Pattern>;
  /** HEAD; without a handler for it, those for GET answer. */
  head: OwnRouterHandler<M, this, Pattern>;
  /** POST. */
  post: OwnRouterHandler<M, this, Pattern>;
  /** PUT. */
  put: OwnRouterHandler<M, this, Pattern>;
  /** PATCH (RFC 5789). */
  patch: OwnRouterHandler<M, this, Pattern>;
  /** DELETE. */
  delete: OwnRouterHandler<M, this, Pattern>;
  /** OPTIONS. */
  options: OwnRouterHandler<M, this, Pattern>;

  /** CHECKOUT (RFC 3253). */
  checkout: OwnRouterHandler<M, this, Pattern>;
  /** COPY (RFC 4918). */
  copy: OwnRouterHandler<M, this, Pattern>;
  /** LOCK (RFC 4918). */
  lock: OwnRouterHandler<M, this, Pattern>;
  /** M-SEARCH (UPnP). */
  'm-search': OwnRouterHandler<M, this, Pattern>;
  /** MERGE (RFC 3253). */
  merge: OwnRouterHandler<M, this, Pattern>;
  /** MKACTIVITY (RFC 3253). */
  mkactivity: OwnRouterHandler<M, this, Pattern>;
  /** MKCOL (RFC 4918). */
  mkcol: OwnRouterHandler<M, this, Pattern>;
  /** MOVE (RFC 4918). */
  move: OwnRouterHandler<M, this, Pattern>;
  /** NOTIFY (UPnP). */
  notify: OwnRouterHandler<M, this, Pattern>;
  /** PURGE, as caches understand it. */
  purge: OwnRouterHandler<M, this, Pattern>;
  /** REPORT (RFC 3253). */
  report: OwnRouterHandler<M, this, Pattern>;
  /** SEARCH (RFC 5323). */
  search: OwnRouterHandler<M, this, Pattern>;
  /** SUBSCRIBE (UPnP). */
  subscribe: OwnRouterHandler<M, this, Pattern>;
  /** TRACE. */
  trace: OwnRouterHandler<M, this, Pattern>;
  /** UNLOCK (RFC 4918). */
  unlock: OwnRouterHandler<M, this, Pattern>;
  /** UNSUBSCRIBE (UPnP). */
  unsubscribe: OwnRouterHandler<M, this, Pattern>;
}

/** A route of this package: an {@link IRoute} and what `@types/express` leaves out. */
export interface Route<Pattern extends Path = string> extends OwnRoute<5, Pattern> {}

/** A {@link Route} of either major. */
export interface OwnRoute<M extends Major, Pattern extends Path> extends OwnIRoute<M, Pattern> {
  /** The methods that have handlers, lower case; `_all` for {@link IRoute.all}. */
  methods: Record<string, boolean>;

  /**
   * Runs the handlers of the request's method, one after another.
   *
   * @param req the request; its method selects the handlers
   * @param res the response to it
   * @param done called if none has answered, with the error if there was one
   */
  dispatch(req: Named[M]['request'], res: Named[M]['response'], done: NextFunction): void;

  /** ACL (RFC 3744). */
  acl: OwnRouterHandler<M, this, Pattern>;
  /** The HTTP method BIND (RFC 5842). */
  bind: OwnRouterHandler<M, this, Pattern>;
  /** CONNECT. For such requests node emits `connect`, so only requests that code passes to the application get here. */
  connect: OwnRouterHandler<M, this, Pattern>;
  /** LINK (RFC 2068). */
  link: OwnRouterHandler<M, this, Pattern>;
  /** MKCALENDAR (RFC 4791). */
  mkcalendar: OwnRouterHandler<M, this, Pattern>;
  /** PROPFIND (RFC 4918). */
  propfind: OwnRouterHandler<M, this, Pattern>;
  /** PROPPATCH (RFC 4918). */
  proppatch: OwnRouterHandler<M, this, Pattern>;
  /** QUERY: GET with a body. Exists if `http.METHODS` of the running Node has it. */
  query?: OwnRouterHandler<M, this, Pattern>;
  /** REBIND (RFC 5842). */
  rebind: OwnRouterHandler<M, this, Pattern>;
  /** SOURCE, as Icecast understands it. */
  source: OwnRouterHandler<M, this, Pattern>;
  /** UNBIND (RFC 5842). */
  unbind: OwnRouterHandler<M, this, Pattern>;
  /** UNLINK (RFC 2068). */
  unlink: OwnRouterHandler<M, this, Pattern>;
}

/** `express.Route`: makes a route that belongs to no router. Its `prototype` is that of all routes. */
export interface RouteConstructor extends OwnRouteConstructor<5> {}

/** A {@link RouteConstructor} of either major. */
export interface OwnRouteConstructor<M extends Major> {
  /**
   * Makes a route for a path; `router.route(path)` makes one that belongs to the router.
   *
   * @param path a text, a RegExp, or a list of them
   */
  new <Pattern extends Path>(path: Pattern): OwnRoute<M, Pattern>;
  new (path: PathParams): OwnRoute<M, string>;
  /** The prototype of all routes: members added to it are on each of them. */
  readonly prototype: OwnRoute<M, string>;
}
