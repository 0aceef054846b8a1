import type { Application } from './application.js';
import type {
  NextFunction,
  RequestHandler,
  RequestHandlerParams,
  RequestHandlers,
  RequestParamHandler,
} from './handlers.js';
import type { ParamsDictionary, Path, PathParams, RouteParameters } from './params-from-path.js';
import type { Query, Request } from './request.js';
import type { IRoute, Route } from './route.js';
import type { Response } from './response.js';
import type { Untyped, UntypedRecord } from './untyped.js';

/** How a router matches; read when a handler is added. */
export interface RouterOptions {
  /** Whether `/Users` and `/users` differ; default `false`. */
  caseSensitive?: boolean | undefined;
  /** Whether `req.params` also holds the parameters of the path that the router is mounted at; default `false`. */
  mergeParams?: boolean | undefined;
  /** Whether `/users/` and `/users` differ; default `false`. */
  strict?: boolean | undefined;
}

/*
 * The two kinds of method below are written as methods of an interface and taken out of it again, because the compiler
 * compares parameters of methods in both directions. The routers of @types/express accept fewer kinds of handler lists, and
 * the comparison of any two handlers comes down to that of two routers (`req.app`). Written as plain functions, no handler
 * typed with one package would fit the other.
 */

/**
 * A method that takes a path and handlers: `app.get(path, ...handlers)`.
 *
 * A handler written in the call has `req.params` inferred from the path. Handlers that are typed apart add what they
 * declare: `P` is inferred from those, and a handler sees `P` and the parameters of the path together.
 *
 * @typeParam T what the method returns, the router itself
 * @typeParam _Method the HTTP method, lower case; carried by the known types, without effect
 */
export type IRouterMatcher<T, _Method extends string = string> = MatcherMethod<T>['match'];

interface MatcherMethod<T> {
  /**
   * Adds handlers at a path: of `get`, `post` and their kind for requests of that method whose whole path matches, of `all` for every
   * method, of `use` for every method, at the path and below it.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them; its parameters are `req.params` of the handlers
   * @param handlers middleware, routers or applications, or lists of them; each calls `next()` to go on to the one behind it
   * @returns what it was called on, so that calls can be chained
   * @throws TypeError without a handler, for one that is no function, and for a path that cannot be read
   * @see https://expressjs.com/en/guide/routing.html
   */
  match<
    const Pattern extends PathParams,
    P = RouteParameters<Pattern>,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
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
    ReqQuery = Query,
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
    ReqQuery = Query,
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
    ReqQuery = Query,
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

/**
 * A method that takes handlers alone: `app.use(...handlers)`, `app.route(path).get(...handlers)`.
 *
 * @typeParam T what the method returns
 * @typeParam Pattern the path that is known already
 */
export type IRouterHandler<T, Pattern extends Path = string> = HandlerMethod<T, Pattern>['handle'];

interface HandlerMethod<T, Pattern extends Path> {
  /**
   * Adds handlers: by `use` for every request, by a method of a route for requests of that method at its path.
   *
   * @param handlers middleware, routers or applications, or lists of them; each calls `next()` to go on to the one behind it
   * @returns what it was called on, so that calls can be chained
   * @throws TypeError without a handler, and for one that is no function
   * @see https://expressjs.com/en/guide/using-middleware.html
   */
  handle<
    P = RouteParameters<Pattern>,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
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
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    ...handlers: RequestHandlerParams<P & RouteParameters<Pattern>, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
}

/** One entry of a stack, as tools that walk the stack read it. */
export interface ILayer {
  /** The route, when this entry is one; middleware has none. */
  route?: IRoute;
  /** The name of the handler, `<anonymous>` without one. */
  name: string;
  /** The parameters of the last match. */
  params?: Record<string, Untyped>;
  /** The names of the parameters in the path. */
  keys: string[];
  /** The part of the path that matched last. */
  path?: string;
  /** Within a route: the HTTP method, lower case; `undefined` for `all`. */
  method: string;
  /** @deprecated Declared by the known types; there under the path syntax of Express 4 alone. */
  regexp: RegExp;
  /** What was added; of a route, a function that dispatches to it. */
  handle: (req: Request, res: Response, next: NextFunction) => Untyped;
}

/**
 * What every Express-compatible router and application can do: a router of the package `express` is one too, so that
 * a function which takes an `IRouter` takes both.
 *
 * Each of `get`, `post`, … adds handlers for the HTTP method of its name at a path.
 *
 * @see https://expressjs.com/en/5x/api.html#router
 */
export interface IRouter extends RequestHandler {
  /**
   * Runs a function for each value of a route parameter, before the handlers of the route.
   *
   * @throws TypeError without a name or a function
   * @see https://expressjs.com/en/5x/api.html#router.param
   */
  param(name: string, handler: RequestParamHandler): this;

  /**
   * Mounts middleware, routers and applications: at every path, or below the given one. They see `req.url` without it.
   *
   * @throws TypeError without a handler, for one that is no function, and for a path that cannot be read
   * @see https://expressjs.com/en/5x/api.html#router.use
   */
  use: IRouterHandler<this> & IRouterMatcher<this>;

  /**
   * A route at a path, to which handlers are added one method after another.
   *
   * @throws TypeError for a path that cannot be read
   * @see https://expressjs.com/en/5x/api.html#router.route
   */
  route<T extends Path>(prefix: T): IRoute<T>;
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
  /** QUERY: GET with a body. There where `http.METHODS` of the running Node has it. */
  query?: IRouterMatcher<this, 'query'>;

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
}

/** One line of {@link Router.listRoutes}. */
export interface ListedRoute {
  /** The path as it was given; of a list of paths, one for each line. */
  path: Path;
  /** Of a route: its methods in capitals, `*` for `all`; of a router: none. */
  methods: string[] | undefined;
  /** The router that is mounted at the path, when this line is one. */
  router: Router | undefined;
}

/**
 * A router of this package: an {@link IRouter} and what the known types leave out.
 *
 * @see https://expressjs.com/en/5x/api.html#router
 */
export interface Router extends IRouter {
  /** As in its options; routes added from now on follow it. */
  caseSensitive: boolean | undefined;
  /** As in its options; requests from now on follow it. */
  mergeParams: boolean | undefined;
  /** As in its options; routes added from now on follow it. */
  strict: boolean | undefined;

  /** The functions that were given to `param`, by name. */
  params: Record<string, RequestParamHandler[]>;

  /**
   * Hands a request over; what calling the router does.
   *
   * @param callback called when no handler has answered, with the error if there was one
   * @throws TypeError without a callback
   */
  handle(req: Request, res: Response, callback: NextFunction): void;

  /** The routes and routers that have been added, in order; not those inside of these routers. */
  listRoutes(): ListedRoute[];

  route<T extends Path>(prefix: T): Route<T>;
  route(prefix: PathParams): Route;

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

/** `express.Router`: makes a router, with or without `new`. Its `prototype` is what all routers inherit. */
export interface RouterConstructor {
  /**
   * Makes a router: middleware and routes of their own, to be mounted with `app.use(path, router)`.
   *
   * @param options how it matches: `caseSensitive`, `mergeParams`, `strict`, each `false` by default
   * @see https://expressjs.com/en/5x/api.html#express.router
   */
  (options?: RouterOptions): Router;
  /** The same: `new` makes no difference. */
  new (options?: RouterOptions): Router;
  /** What all routers inherit; what is added to it, they have. */
  readonly prototype: Router;
}
