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
  head: IRouterHandler<this, Pattern>;
  post: IRouterHandler<this, Pattern>;
  put: IRouterHandler<this, Pattern>;
  patch: IRouterHandler<this, Pattern>;
  delete: IRouterHandler<this, Pattern>;
  options: IRouterHandler<this, Pattern>;

  checkout: IRouterHandler<this, Pattern>;
  copy: IRouterHandler<this, Pattern>;
  lock: IRouterHandler<this, Pattern>;
  'm-search': IRouterHandler<this, Pattern>;
  merge: IRouterHandler<this, Pattern>;
  mkactivity: IRouterHandler<this, Pattern>;
  mkcol: IRouterHandler<this, Pattern>;
  move: IRouterHandler<this, Pattern>;
  notify: IRouterHandler<this, Pattern>;
  purge: IRouterHandler<this, Pattern>;
  report: IRouterHandler<this, Pattern>;
  search: IRouterHandler<this, Pattern>;
  subscribe: IRouterHandler<this, Pattern>;
  trace: IRouterHandler<this, Pattern>;
  unlock: IRouterHandler<this, Pattern>;
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

  acl: IRouterHandler<this, Pattern>;
  /** The HTTP method BIND (RFC 5842). */
  bind: IRouterHandler<this, Pattern>;
  connect: IRouterHandler<this, Pattern>;
  link: IRouterHandler<this, Pattern>;
  mkcalendar: IRouterHandler<this, Pattern>;
  propfind: IRouterHandler<this, Pattern>;
  proppatch: IRouterHandler<this, Pattern>;
  /** QUERY: GET with a body. There where `http.METHODS` of the running Node has it. */
  query?: IRouterHandler<this, Pattern>;
  rebind: IRouterHandler<this, Pattern>;
  source: IRouterHandler<this, Pattern>;
  unbind: IRouterHandler<this, Pattern>;
  unlink: IRouterHandler<this, Pattern>;
}

/** `express.Route`: makes a route that belongs to no router yet. Its `prototype` is what all routes inherit. */
export interface RouteConstructor {
  new <Pattern extends Path>(path: Pattern): Route<Pattern>;
  new (path: PathParams): Route;
  readonly prototype: Route;
}
