import type { AddedToIRouter, AddedToRouter } from './foreign.js';
import type { NextFunction, Nested, OwnRequestHandler } from './handlers.js';
import type { Major, Messages, Named, ParamsOf } from './majors.js';
import type { Flat, ParamsWith, Path, PathParams } from './params-from-path.js';
import type { Query } from './request.js';
import type { OwnIRoute, Route } from './route.js';
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
 * to compare two handlers the compiler compares two routers (`req.app`). If these were plain functions, a handler typed with
 * one package would not fit the other.
 */

/**
 * A method that takes a path and handlers: `app.get(path, ...handlers)`.
 *
 * A handler written in the call has `req.params` inferred from the path. Handlers that are typed apart add what they
 * declare: `P` is inferred from those, and a handler sees `P` and the parameters of the path together. If they contradict each other, as
 * after a validator that turns strings into numbers, `P` holds.
 *
 * @typeParam T what the method returns, the router itself
 * @typeParam Method the HTTP method, lower case; as in `@types/express`, without effect
 */
export type IRouterMatcher<T, Method extends string = string> = OwnRouterMatcher<5, T, Method>;

/** An {@link IRouterMatcher} of either major. */
export type OwnRouterMatcher<M extends Major, T, _Method extends string = string> = MatcherMethod<M, T>['match'];

/** The forms of an {@link OwnRouterMatcher}. */
interface MatcherMethod<M extends Major, T> {
  /**
   * Adds handlers at a path. `get`, `post`, …: for requests of that method whose whole path matches; `all`: for every method; `use`: for
   * every method, at the path and below it.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them; its parameters are `req.params` of the handlers
   * @param handlers middleware, routers or applications, or lists of them; each calls `next()` to continue with the following one
   * @returns what it was called on, so that calls can be chained
   * @throws TypeError without a handler, for one that is not a function, and for an invalid path. In Express 4 `get`, `post`, … throw an Error
   * @see https://expressjs.com/en/guide/routing.html
   */
  match<
    const Pattern extends PathParams,
    P = ParamsOf<Pattern>[M],
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: Pattern,
    ...handlers: Nested<
      Messages<ParamsWith<P, ParamsOf<Pattern>[M]>, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['handler']
    >[]
  ): T;
  /**
   * Adds handlers at a path, with error handlers among them: functions of four parameters.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them
   * @param handlers what runs in turn; after an error only those of four parameters do
   */
  match<
    const Pattern extends PathParams,
    P = ParamsOf<Pattern>[M],
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: Pattern,
    ...handlers: HandlerParams<M, P & ParamsOf<Pattern>[M], ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  /**
   * Adds handlers at a path, with only its parameters: for lists of handlers that declare theirs in different ways.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them
   * @param handlers what runs in turn; after an error only those of four parameters do
   */
  match<const Pattern extends PathParams>(
    path: Pattern,
    ...handlers: HandlerParams<M, ParamsOf<Pattern>[M], Untyped, Untyped, Query, UntypedRecord>[]
  ): T;
  /**
   * Adds handlers at a path. The call gives the type of `req.params`: `app.get<{ id: string }>(path, ...)`.
   *
   * @param path a text, a RegExp, or a list of them
   * @param handlers what runs in turn
   */
  match<
    P = Named[M]['params'],
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: PathParams,
    ...handlers: Nested<Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['handler']>[]
  ): T;
  /**
   * Adds handlers at a path, with error handlers among them: functions of four parameters.
   *
   * @param path a text such as `'/users/:id'`, a RegExp, or a list of them
   * @param handlers what runs in turn; after an error only those of four parameters do
   */
  match<
    P = Named[M]['params'],
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    path: PathParams,
    ...handlers: HandlerParams<M, P, ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  // The last form, as in `AnyUse`.
  /**
   * Adds handlers at a path.
   *
   * @param path a text, a RegExp, or a list of them
   * @param handlers what runs in turn
   */
  match(path: PathParams, ...handlers: Nested<Named[M]['handler']>[]): T;
}

/**
 * A method that takes handlers alone: `app.use(...handlers)`, `app.route(path).get(...handlers)`.
 *
 * @typeParam T what the method returns
 * @typeParam Pattern the path that is known already
 */
export type IRouterHandler<T, Pattern extends Path = string> = OwnRouterHandler<5, T, Pattern>;

/** An {@link IRouterHandler} of either major. */
export type OwnRouterHandler<M extends Major, T, Pattern extends Path = string> = HandlerMethod<
  M,
  T,
  Pattern
>['handle'];

/** Handlers of requests and of errors, or lists of them. */
type HandlerParams<M extends Major, P, ResBody, ReqBody, ReqQuery, LocalsObj extends UntypedRecord> = Nested<
  Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['handler' | 'errorHandler']
>;

// `Flat` makes the compiler compare two routes by their members: compared by their patterns, no route would be a `Route<string>`. One handler
// only: of several, one may declare the body for the others, which only the form with type parameters passes on.
/** Handlers that only know the path: any number for `use`, one for a route. */
type KnownHandlers<M extends Major, Pattern extends Path> = string extends Pattern
  ? Nested<Named[M]['handler']>[]
  : [Nested<Messages<Flat<ParamsOf<Pattern>[M]>, Untyped, Untyped, Query, UntypedRecord>[M]['handler']>];

/** The forms of an {@link OwnRouterHandler}. */
interface HandlerMethod<M extends Major, T, Pattern extends Path> {
  /**
   * Adds handlers: by `use` for every request, by a method of a route for requests of that method at its path.
   *
   * @param handlers middleware, routers or applications, or lists of them; each calls `next()` to continue with the following one
   * @returns what it was called on, so that calls can be chained
   * @throws TypeError without a handler, and for one that is not a function
   * @see https://expressjs.com/en/guide/using-middleware.html
   */
  // Without type parameters, so that a middleware that is made in the call infers the types of its own functions from these handlers:
  // `app.use(morgan((tokens, req) => req.originalUrl))`.
  handle(...handlers: KnownHandlers<M, Pattern>): T;
  /**
   * Adds handlers that are typed apart, with what they declare.
   *
   * @param handlers what runs in turn
   */
  handle<
    P = ParamsOf<Pattern>[M],
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    ...handlers: Nested<
      Messages<ParamsWith<P, ParamsOf<Pattern>[M]>, ResBody, ReqBody, ReqQuery, LocalsObj>[M]['handler']
    >[]
  ): T;
  /**
   * Adds handlers, with error handlers among them: functions of four parameters.
   *
   * @param handlers what runs in turn; after an error only those of four parameters do
   */
  handle<
    P = ParamsOf<Pattern>[M],
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  >(
    ...handlers: HandlerParams<M, P & ParamsOf<Pattern>[M], ResBody, ReqBody, ReqQuery, LocalsObj>[]
  ): T;
  // The last form, as in `AnyUse`.
  /**
   * Adds handlers.
   *
   * @param handlers what runs in turn
   */
  handle(...handlers: Nested<Named[M]['handler']>[]): T;
}

/** The type of `use`: with a path or without. */
export type OwnUse<M extends Major, T> = OwnRouterHandler<M, T> & OwnRouterMatcher<M, T> & AnyUse<M, T>['use'];

/** The last form of {@link OwnUse}. */
interface AnyUse<M extends Major, T> {
  /**
   * Adds handlers for every request, or for those at a path and below it. The last form, because the compiler's message for a call that fits
   * none is about the last one: it names the handler, with a path and without.
   *
   * @param pathOrHandler a path, a list of paths, or the first handler
   * @param handlers middleware, routers or applications, or lists of them
   * @returns what it was called on, so that calls can be chained
   */
  use(pathOrHandler: PathParams | Nested<Named[M]['handler']>, ...handlers: Nested<Named[M]['handler']>[]): T;
}

/** One entry of a stack, as tools that walk the stack read it. */
export interface ILayer extends OwnLayer<5> {
  /** @deprecated Declared by `@types/express`; set only in Express 4. */
  keys: string[];

  /** @deprecated Declared by `@types/express`; set only in Express 4. */
  regexp: RegExp;
}

/** An {@link ILayer} of either major. */
export interface OwnLayer<M extends Major> {
  /** The route, when this entry is one; middleware has none. */
  route?: Named[M]['route'];
  /** The name of the handler, `<anonymous>` without one. */
  name: string;
  /** The parameters of the last match. */
  params?: Record<string, Untyped>;
  /** The part of the path that matched last. */
  path?: string;
  /** Within a route: the HTTP method, lower case; `undefined` for `all`. */
  method: string;
  /** What was added; of a route, a function that dispatches to it. */
  handle: (req: Named[M]['request'], res: Named[M]['response'], next: NextFunction) => Untyped;
}

/**
 * The members of every Express-compatible router and application: a router of the package `express` is one too, so that
 * a function which takes an `IRouter` takes both.
 *
 * Each of `get`, `post`, … adds handlers for the HTTP method of its name at a path.
 *
 * @see https://expressjs.com/en/5x/api.html#router
 */
export interface IRouter extends OwnIRouter<5>, AddedToIRouter<keyof OwnIRouter<5>> {}

/** The methods of routers and applications that add handlers, by the HTTP method of their name. */
export interface OwnVerbs<M extends Major> {
  /** Every method. */
  all: OwnRouterMatcher<M, this, 'all'>;
  /** GET, and HEAD if no route for HEAD answers it. */
  get: OwnRouterMatcher<M, this, 'get'>;
  /** HEAD; without a route for it, those for GET answer. */
  head: OwnRouterMatcher<M, this, 'head'>;
  /** POST. */
  post: OwnRouterMatcher<M, this, 'post'>;
  /** PUT. */
  put: OwnRouterMatcher<M, this, 'put'>;
  /** PATCH (RFC 5789). */
  patch: OwnRouterMatcher<M, this, 'patch'>;
  /** DELETE. */
  delete: OwnRouterMatcher<M, this, 'delete'>;
  /** OPTIONS; without a route for it, the answer lists the methods of the routes at the path. */
  options: OwnRouterMatcher<M, this, 'options'>;
  /** QUERY: GET with a body. Exists if `http.METHODS` of the running Node has it. */
  query?: OwnRouterMatcher<M, this, 'query'>;

  /** CHECKOUT (RFC 3253). */
  checkout: OwnRouterMatcher<M, this, 'checkout'>;
  /** CONNECT. For such requests node emits `connect`, so only requests that code passes to the application get here. */
  connect: OwnRouterMatcher<M, this, 'connect'>;
  /** COPY (RFC 4918). */
  copy: OwnRouterMatcher<M, this, 'copy'>;
  /** LINK (RFC 2068). */
  link: OwnRouterMatcher<M, this, 'link'>;
  /** LOCK (RFC 4918). */
  lock: OwnRouterMatcher<M, this, 'lock'>;
  /** M-SEARCH (UPnP). */
  'm-search': OwnRouterMatcher<M, this, 'm-search'>;
  /** MERGE (RFC 3253). */
  merge: OwnRouterMatcher<M, this, 'merge'>;
  /** MKACTIVITY (RFC 3253). */
  mkactivity: OwnRouterMatcher<M, this, 'mkactivity'>;
  /** MKCOL (RFC 4918). */
  mkcol: OwnRouterMatcher<M, this, 'mkcol'>;
  /** MOVE (RFC 4918). */
  move: OwnRouterMatcher<M, this, 'move'>;
  /** NOTIFY (UPnP). */
  notify: OwnRouterMatcher<M, this, 'notify'>;
  /** PROPFIND (RFC 4918). */
  propfind: OwnRouterMatcher<M, this, 'propfind'>;
  /** PROPPATCH (RFC 4918). */
  proppatch: OwnRouterMatcher<M, this, 'proppatch'>;
  /** PURGE, as caches understand it. */
  purge: OwnRouterMatcher<M, this, 'purge'>;
  /** REPORT (RFC 3253). */
  report: OwnRouterMatcher<M, this, 'report'>;
  /** SEARCH (RFC 5323). */
  search: OwnRouterMatcher<M, this, 'search'>;
  /** SUBSCRIBE (UPnP). */
  subscribe: OwnRouterMatcher<M, this, 'subscribe'>;
  /** TRACE. */
  trace: OwnRouterMatcher<M, this, 'trace'>;
  /** UNLINK (RFC 2068). */
  unlink: OwnRouterMatcher<M, this, 'unlink'>;
  /** UNLOCK (RFC 4918). */
  unlock: OwnRouterMatcher<M, this, 'unlock'>;
  /** UNSUBSCRIBE (UPnP). */
  unsubscribe: OwnRouterMatcher<M, this, 'unsubscribe'>;
}

/** Further verbs, which `@types/express` leaves out. */
export interface OwnMoreVerbs<M extends Major> {
  /** ACL (RFC 3744). */
  acl: OwnRouterMatcher<M, this, 'acl'>;
  /** The HTTP method BIND (RFC 5842), not `Function.prototype.bind`. */
  bind: OwnRouterMatcher<M, this, 'bind'>;
  /** MKCALENDAR (RFC 4791). */
  mkcalendar: OwnRouterMatcher<M, this, 'mkcalendar'>;
  /** REBIND (RFC 5842). */
  rebind: OwnRouterMatcher<M, this, 'rebind'>;
  /** SOURCE, as Icecast understands it. */
  source: OwnRouterMatcher<M, this, 'source'>;
  /** UNBIND (RFC 5842). */
  unbind: OwnRouterMatcher<M, this, 'unbind'>;
}

/** An {@link IRouter} of either major. */
export interface OwnIRouter<M extends Major>
  extends OwnRequestHandler<M, Named[M]['params'], Untyped, Untyped, Query, UntypedRecord>, OwnVerbs<M> {
  /**
   * Runs a function for each value of a route parameter, before the handlers of the route.
   *
   * @param name of the parameter, without the colon
   * @param handler called with request, response, `next`, the value and the name
   * @returns the router
   * @throws TypeError without a name or a function
   * @see https://expressjs.com/en/5x/api.html#router.param
   */
  param(name: string, handler: Named[M]['paramHandler']): this;

  /**
   * Mounts middleware, routers and applications: at every path, or below the given one. They see `req.url` without it.
   *
   * @throws TypeError without a handler, for one that is not a function, and for an invalid path
   * @see https://expressjs.com/en/5x/api.html#router.use
   */
  use: OwnUse<M, this>;

  /**
   * A route at a path, to which handlers are added one method after another.
   *
   * @param prefix a text, a RegExp, or a list of them
   * @throws TypeError for an invalid path
   * @see https://expressjs.com/en/5x/api.html#router.route
   */
  route<T extends Path>(prefix: T): OwnIRoute<M, T>;
  route(prefix: PathParams): Named[M]['route'];

  /** What has been added, in order. */
  stack: Named[M]['layer'][];
}

/** One line of {@link Router.listRoutes}. */
export interface ListedRoute {
  /** The path as it was given; a list of paths has one line for each. */
  path: Path;
  /** The methods of a route in capitals, `*` for `all`; undefined for a router. */
  methods: string[] | undefined;
  /** The router that is mounted at the path; undefined for a route. */
  router: NonstopRouter | undefined;
}

/**
 * A router. One of the package `express` is one too, so that a function which takes a `Router` takes both; what `Router()` of this package
 * returns is a {@link NonstopRouter}.
 *
 * @see https://expressjs.com/en/5x/api.html#router
 */
export interface Router extends IRouter, AddedToRouter<keyof IRouter> {}

/**
 * What `Router()` returns: a {@link Router} of this package, with what `@types/express` leaves out.
 *
 * @see https://expressjs.com/en/5x/api.html#router
 */
export interface NonstopRouter extends OwnRouter<5>, AddedToRouter<keyof OwnRouter<5>> {
  /**
   * Lists the routes and routers that were added.
   *
   * @returns one line for each path, in order, without those inside the routers
   */
  listRoutes(): ListedRoute[];

  /**
   * Adds a route without handlers: `router.route('/a').get(…).post(…)`.
   *
   * @param prefix its path
   * @throws TypeError for an invalid path
   * @see https://expressjs.com/en/5x/api.html#router.route
   */
  route<T extends Path>(prefix: T): Route<T>;
  route(prefix: PathParams): Route;
}

/** A {@link NonstopRouter} of either major. */
export interface OwnRouter<M extends Major> extends OwnIRouter<M>, OwnMoreVerbs<M> {
  /** As in its options; routes added from now on follow it. */
  caseSensitive: boolean | undefined;
  /** As in its options; requests from now on follow it. */
  mergeParams: boolean | undefined;
  /** As in its options; routes added from now on follow it. */
  strict: boolean | undefined;

  /** The functions that were given to `param`, by name. */
  params: Record<string, Named[M]['paramHandler'][]>;

  /**
   * Handles a request, as a call of the router does.
   *
   * @param req node's request, or one that inherits from it
   * @param res the response to it
   * @param callback called if no handler has answered, with the error if there was one
   * @throws TypeError without a callback
   */
  handle(req: Named[M]['request'], res: Named[M]['response'], callback: NextFunction): void;
}

/** `express.Router`: makes a router, with or without `new`. Its `prototype` is that of all routers. */
export interface RouterConstructor {
  /**
   * Makes a router: middleware and routes of their own, to be mounted with `app.use(path, router)`.
   *
   * @typeParam T for a cast, `Router() as Grouping`: a type with members that a package adds
   * @param options how it matches: `caseSensitive`, `mergeParams`, `strict`, each `false` by default
   * @see https://expressjs.com/en/5x/api.html#express.router
   */
  <T extends Router = NonstopRouter>(options?: RouterOptions): T;
  /** The same. `ReturnType<typeof Router>` is that of the last form, as in `@types/express`. @param options as above */
  (options?: RouterOptions): Router;
  /** The same: `new` makes no difference. @param options as above */
  new (options?: RouterOptions): NonstopRouter;
  /** The prototype of all routers: members added to it are on each of them. */
  readonly prototype: NonstopRouter;
}
