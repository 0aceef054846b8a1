import type five = require('../index.js');
import type { Untyped, UntypedRecord } from '../untyped.js';
import type { Application } from './application.js';
import type {
  RequestHandler,
  RequestHandlerParams,
  RequestHandlers,
  RequestParamHandler,
  Request,
  Response,
} from './messages.js';
import type { ParamsDictionary, Path, PathParams, RouteParameters } from './params.js';

/** A method that takes a path and handlers: `app.get(path, ...handlers)`; as that of Express 5, for the paths of Express 4. */
export type IRouterMatcher<T, _Method extends string = string> = MatcherMethod<T>['match'];

interface MatcherMethod<T> {
  /**
   * Adds handlers at a path: of `get`, `post` and their kind for requests of that method whose whole path matches, of `all` for every
   * method, of `use` for every method, at the path and below it.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them; its parameters are `req.params` of the handlers
   * @param handlers middleware, routers or applications, or lists of them; each calls `next()` to go on to the one behind it
   * @returns what it was called on, so that calls can be chained
   * @throws TypeError for a handler that is no function, and for a path that is none
   * @see https://expressjs.com/en/guide/routing.html
   */
  match<
    const Pattern extends PathParams,
    P = RouteParameters<Pattern>,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = five.Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: Pattern,
    ...handlers: RequestHandlers<P & RouteParameters<Pattern>, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  /**
   * Adds handlers at a path, with error handlers among them: functions of four parameters.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them
   * @param handlers what runs in turn; after an error only those of four parameters do
   */
  match<
    const Pattern extends PathParams,
    P = RouteParameters<Pattern>,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = five.Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: Pattern,
    ...handlers: RequestHandlerParams<P & RouteParameters<Pattern>, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  /**
   * Adds handlers at a path, where the call says what `req.params` is: `app.get<{ id: string }>(path, ...)`.
   *
   * @param path a text, a RegExp, or a list of them
   * @param handlers what runs in turn
   */
  match<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = five.Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: PathParams,
    ...handlers: RequestHandlers<P, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  /**
   * Adds handlers at a path, with error handlers among them: functions of four parameters.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them
   * @param handlers what runs in turn; after an error only those of four parameters do
   */
  match<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = five.Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: PathParams,
    ...handlers: RequestHandlerParams<P, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  /**
   * Mounts an application, of this package or of `express`, below a path.
   *
   * @param path below which it sees requests, without the path
   * @param subApplication what `express()` returned
   */
  match(path: PathParams, subApplication: Application): T;
}

/** A method that takes handlers alone: `app.use(...handlers)`, `app.route(path).get(...handlers)`. */
export type IRouterHandler<T, Pattern extends Path = string> = HandlerMethod<T, Pattern>['handle'];

interface HandlerMethod<T, Pattern extends Path> {
  /**
   * Adds handlers: by `use` for every request, by a method of a route for requests of that method at its path.
   *
   * @param handlers middleware, routers or applications, or lists of them; each calls `next()` to go on to the one behind it
   * @returns what it was called on, so that calls can be chained
   * @throws TypeError for a handler that is no function
   * @see https://expressjs.com/en/guide/using-middleware.html
   */
  handle<
    P = RouteParameters<Pattern>,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = five.Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    ...handlers: RequestHandlers<P & RouteParameters<Pattern>, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  /**
   * Adds handlers, with error handlers among them: functions of four parameters.
   *
   * @param handlers what runs in turn; after an error only those of four parameters do
   */
  handle<
    P = RouteParameters<Pattern>,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = five.Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    ...handlers: RequestHandlerParams<P & RouteParameters<Pattern>, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
}

/** Makes the handler for a parameter of what `param(name, matcher)` is given from then on. */
export type ParamMaker = (name: string, matcher: RegExp) => RequestParamHandler;

/** One entry of a stack, as tools that walk the stack read it. */
export interface ILayer {
  /** The route, when this entry is one; middleware has none. */
  route?: IRoute;
  /** The name of the handler, `<anonymous>` without one; of a route `bound dispatch`. */
  name: string;
  /** The parameters of the last match. */
  params?: Record<string, Untyped>;
  /** The groups of {@link regexp}. */
  keys: string[];
  /** The part of the path that matched last. */
  path?: string;
  /** Within a route: the HTTP method, lower case; `undefined` for `all`. */
  method: string;
  /** What the path has become; `fast_slash` and `fast_star` on it say where it is not asked. */
  regexp: RegExp;
  /** What was added; of a route, a function that dispatches to it. */
  handle: (req: Request, res: Response, next: five.NextFunction) => Untyped;
}

/**
 * What routers and applications can do. Each of `get`, `post`, … adds handlers for the HTTP method of its name at a path.
 *
 * @see https://expressjs.com/en/4x/api.html#router
 */
export interface IRouter extends RequestHandler {
  /** Runs a function for each value of a route parameter, before the handlers of the route. */
  param(name: string, handler: RequestParamHandler): this;
  /** @deprecated Says how the functions for parameters are made from then on. */
  param(callback: ParamMaker): this;

  /** Mounts middleware, routers and applications: at every path, or below the given one. They see `req.url` without it. */
  use: IRouterHandler<this> & IRouterMatcher<this>;

  /** A route at a path, to which handlers are added one method after another. */
  route<T extends string>(prefix: T): IRoute<T>;
  route(prefix: PathParams): IRoute;

  /** What has been added, in order. */
  stack: ILayer[];

  /** Every method. */
  all: IRouterMatcher<this, 'all'>;

  /** GET, and HEAD where no route of its own answers it. */
  get: IRouterMatcher<this, 'get'>;

  /** HEAD; without a route of its own, those for GET answer it. */
  head: IRouterMatcher<this, 'head'>;

  /** POST. */
  post: IRouterMatcher<this, 'post'>;

  /** PUT. */
  put: IRouterMatcher<this, 'put'>;

  /** PATCH (RFC 5789). */
  patch: IRouterMatcher<this, 'patch'>;

  /** DELETE. */
  delete: IRouterMatcher<this, 'delete'>;

  /** OPTIONS; without a route, the methods that others have at the path are answered. */
  options: IRouterMatcher<this, 'options'>;

  /** CHECKOUT (RFC 3253). */
  checkout: IRouterMatcher<this, 'checkout'>;

  /** CONNECT. Reached only where the server hands that method to its requests: node emits `connect` instead. */
  connect: IRouterMatcher<this, 'connect'>;

  /** COPY (RFC 4918). */
  copy: IRouterMatcher<this, 'copy'>;

  /** LINK (RFC 2068). */
  link: IRouterMatcher<this, 'link'>;

  /** LOCK (RFC 4918). */
  lock: IRouterMatcher<this, 'lock'>;

  /** M-SEARCH (UPnP). */
  'm-search': IRouterMatcher<this, 'm-search'>;

  /** MERGE (RFC 3253). */
  merge: IRouterMatcher<this, 'merge'>;

  /** MKACTIVITY (RFC 3253). */
  mkactivity: IRouterMatcher<this, 'mkactivity'>;

  /** MKCOL (RFC 4918). */
  mkcol: IRouterMatcher<this, 'mkcol'>;

  /** MOVE (RFC 4918). */
  move: IRouterMatcher<this, 'move'>;

  /** NOTIFY (UPnP). */
  notify: IRouterMatcher<this, 'notify'>;

  /** PROPFIND (RFC 4918). */
  propfind: IRouterMatcher<this, 'propfind'>;

  /** PROPPATCH (RFC 4918). */
  proppatch: IRouterMatcher<this, 'proppatch'>;

  /** PURGE, as caches understand it. */
  purge: IRouterMatcher<this, 'purge'>;

  /** REPORT (RFC 3253). */
  report: IRouterMatcher<this, 'report'>;

  /** SEARCH (RFC 5323). */
  search: IRouterMatcher<this, 'search'>;

  /** SUBSCRIBE (UPnP). */
  subscribe: IRouterMatcher<this, 'subscribe'>;

  /** TRACE. */
  trace: IRouterMatcher<this, 'trace'>;

  /** UNLINK (RFC 2068). */
  unlink: IRouterMatcher<this, 'unlink'>;

  /** UNLOCK (RFC 4918). */
  unlock: IRouterMatcher<this, 'unlock'>;

  /** UNSUBSCRIBE (UPnP). */
  unsubscribe: IRouterMatcher<this, 'unsubscribe'>;
  /** There where `http.METHODS` of the running Node has it. */
  query?: IRouterMatcher<this, 'query'>;
}

/** A router, with what the known types leave out. */
export interface Router extends IRouter {
  /** As in its options; routes added from now on follow it. */
  caseSensitive: boolean | undefined;

  /** As in its options; requests from now on follow it. */
  mergeParams: boolean | undefined;

  /** As in its options; routes added from now on follow it. */
  strict: boolean | undefined;

  /** The functions that were given to `param`, by name. */
  params: Record<string, RequestParamHandler[]>;

  /** Hands a request over; what calling the router does. */
  handle(req: Request, res: Response, callback: five.NextFunction): void;

  /** ACL (RFC 3744). */
  acl: IRouterMatcher<this, 'acl'>;

  /** The HTTP method BIND (RFC 5842), not `Function.prototype.bind`. */
  bind: IRouterMatcher<this, 'bind'>;

  /** MKCALENDAR (RFC 4791). */
  mkcalendar: IRouterMatcher<this, 'mkcalendar'>;

  /** REBIND (RFC 5842). */
  rebind: IRouterMatcher<this, 'rebind'>;

  /** SOURCE, as Icecast understands it. */
  source: IRouterMatcher<this, 'source'>;

  /** UNBIND (RFC 5842). */
  unbind: IRouterMatcher<this, 'unbind'>;
}

/** `express.Router`: makes a router, and is what all routers inherit. */
export interface RouterMaker extends Router {
  /**
   * Makes a router: middleware and routes of their own, to be mounted with `app.use(path, router)`.
   *
   * @param options how it matches: `caseSensitive`, `mergeParams`, `strict`, each `false` by default
   * @see https://expressjs.com/en/4x/api.html#express.router
   */
  (options?: five.RouterOptions): Router;
}

/** One path and the handlers of its methods: what `app.route(path)` gives. */
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

/** A route, with what the known types leave out. */
export interface Route<Pattern extends Path = string> extends IRoute<Pattern> {
  /** The methods that have handlers, lower case; `_all` for {@link IRoute.all}. */
  methods: Record<string, boolean>;

  /** Runs the handlers of the request's method, one after another. */
  dispatch(req: Request, res: Response, done: five.NextFunction): void;
}

/** `express.Route`: makes a route that belongs to no router yet. */
export interface RouteConstructor {
  /** Makes a route for a path; `router.route(path)` makes one that belongs to the router. */
  new (path: PathParams): Route;
  /** What all routes inherit. */
  readonly prototype: Route;
}
