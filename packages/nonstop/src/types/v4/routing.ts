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
  /** @throws TypeError for a handler that is no function, and for a path that is none */
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
  /** The same with error handlers among them: functions of four parameters. */
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
  /** For a call that says what `req.params` is: `app.get<{ id: string }>(path, ...)`. */
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
  /** The same with error handlers among them. */
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
  /** For an application that is mounted. */
  match(path: PathParams, subApplication: Application): T;
}

/** A method that takes handlers alone: `app.use(...handlers)`, `app.route(path).get(...handlers)`. */
export type IRouterHandler<T, Pattern extends Path = string> = HandlerMethod<T, Pattern>['handle'];

interface HandlerMethod<T, Pattern extends Path> {
  /** @throws TypeError for a handler that is no function */
  handle<
    P = RouteParameters<Pattern>,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = five.Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    ...handlers: RequestHandlers<P & RouteParameters<Pattern>, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  /** The same with error handlers among them: functions of four parameters. */
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

  all: IRouterMatcher<this, 'all'>;
  get: IRouterMatcher<this, 'get'>;
  head: IRouterMatcher<this, 'head'>;
  post: IRouterMatcher<this, 'post'>;
  put: IRouterMatcher<this, 'put'>;
  patch: IRouterMatcher<this, 'patch'>;
  delete: IRouterMatcher<this, 'delete'>;
  options: IRouterMatcher<this, 'options'>;
  checkout: IRouterMatcher<this, 'checkout'>;
  connect: IRouterMatcher<this, 'connect'>;
  copy: IRouterMatcher<this, 'copy'>;
  link: IRouterMatcher<this, 'link'>;
  lock: IRouterMatcher<this, 'lock'>;
  'm-search': IRouterMatcher<this, 'm-search'>;
  merge: IRouterMatcher<this, 'merge'>;
  mkactivity: IRouterMatcher<this, 'mkactivity'>;
  mkcol: IRouterMatcher<this, 'mkcol'>;
  move: IRouterMatcher<this, 'move'>;
  notify: IRouterMatcher<this, 'notify'>;
  propfind: IRouterMatcher<this, 'propfind'>;
  proppatch: IRouterMatcher<this, 'proppatch'>;
  purge: IRouterMatcher<this, 'purge'>;
  report: IRouterMatcher<this, 'report'>;
  search: IRouterMatcher<this, 'search'>;
  subscribe: IRouterMatcher<this, 'subscribe'>;
  trace: IRouterMatcher<this, 'trace'>;
  unlink: IRouterMatcher<this, 'unlink'>;
  unlock: IRouterMatcher<this, 'unlock'>;
  unsubscribe: IRouterMatcher<this, 'unsubscribe'>;
  /** There where `http.METHODS` of the running Node has it. */
  query?: IRouterMatcher<this, 'query'>;
}

/** A router, with what the known types leave out. */
export interface Router extends IRouter {
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;

  /** The functions that were given to `param`, by name. */
  params: Record<string, RequestParamHandler[]>;

  /** Hands a request over; what calling the router does. */
  handle(req: Request, res: Response, callback: five.NextFunction): void;

  acl: IRouterMatcher<this, 'acl'>;
  bind: IRouterMatcher<this, 'bind'>;
  mkcalendar: IRouterMatcher<this, 'mkcalendar'>;
  rebind: IRouterMatcher<this, 'rebind'>;
  source: IRouterMatcher<this, 'source'>;
  unbind: IRouterMatcher<this, 'unbind'>;
}

/** `express.Router`: makes a router, and is what all routers inherit. */
export interface RouterMaker extends Router {
  (options?: five.RouterOptions): Router;
}

/** One path and the handlers of its methods: what `app.route(path)` gives. */
export interface IRoute<Pattern extends Path = string> {
  /** The path as it was given. */
  path: string;

  /** The handlers in order; `method` says for which HTTP method. */
  stack: ILayer[];

  all: IRouterHandler<this, Pattern>;
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

/** A route, with what the known types leave out. */
export interface Route<Pattern extends Path = string> extends IRoute<Pattern> {
  /** The methods that have handlers, lower case; `_all` for {@link IRoute.all}. */
  methods: Record<string, boolean>;

  /** Runs the handlers of the request's method, one after another. */
  dispatch(req: Request, res: Response, done: five.NextFunction): void;
}

/** `express.Route`: makes a route that belongs to no router yet. */
export interface RouteConstructor {
  new (path: PathParams): Route;
  readonly prototype: Route;
}
