import type { AddedToIRouter, AddedToRouter } from '../foreign.js';
import type { Path } from '../params-from-path.js';
import type { OwnIRoute, OwnRoute, OwnRouteConstructor } from '../route.js';
import type { OwnIRouter, OwnLayer, OwnRouter, OwnRouterHandler, OwnRouterMatcher, RouterOptions } from '../router.js';
import type { RequestParamHandler } from './messages.js';

/** A method that takes a path and handlers: `app.get(path, ...handlers)`; as that of Express 5, for the paths of Express 4. */
export type IRouterMatcher<T, Method extends string = string> = OwnRouterMatcher<4, T, Method>;

/** A method that takes handlers alone: `app.use(...handlers)`, `app.route(path).get(...handlers)`. */
export type IRouterHandler<T, Pattern extends Path = string> = OwnRouterHandler<4, T, Pattern>;

/** Makes the handler of a parameter from the arguments of `param(name, matcher)`. */
export type ParamMaker = (name: string, matcher: RegExp) => RequestParamHandler;

/** One entry of a stack, as tools that walk the stack read it. */
export interface ILayer extends OwnLayer<4> {
  /** The groups of {@link regexp}: objects with a `name`, although `@types/express` says strings. */
  keys: string[];

  /** The RegExp of the path. It is not used if `fast_slash` or `fast_star` on it is true. */
  regexp: RegExp;
}

/**
 * The members of routers and applications. Each of `get`, `post`, … adds handlers for the HTTP method of its name at a path.
 *
 * @see https://expressjs.com/en/4x/api.html#router
 */
export interface IRouter extends OwnIRouter<4>, AddedToIRouter<keyof OwnRouter<4>> {
  /**
   * Runs a function for each value of a route parameter, before the handlers of the route.
   *
   * @param name of the parameter, without the colon
   * @param handler called with request, response, `next`, the value and the name
   * @see https://expressjs.com/en/4x/api.html#router.param
   */
  param(name: string, handler: RequestParamHandler): this;
  /**
   * Sets how later calls of `param` make the function for a parameter.
   *
   * @param callback makes the function from the arguments of `param`
   * @deprecated Give `param` a function for each parameter.
   */
  param(callback: ParamMaker): this;
}

/** A router. One of the package `express` is one too; `Router()` returns a {@link NonstopRouter}. */
export interface Router extends IRouter, AddedToRouter<keyof IRouter> {}

/** What `Router()` returns: a router, with what `@types/express` leaves out. */
export interface NonstopRouter extends IRouter, OwnRouter<4>, AddedToRouter<keyof IRouter | keyof OwnRouter<4>> {
  /**
   * As {@link IRouter.param}.
   *
   * @param name of the parameter, without the colon
   * @param handler called with request, response, `next`, the value and the name
   * @see https://expressjs.com/en/4x/api.html#router.param
   */
  param(name: string, handler: RequestParamHandler): this;
  /** @deprecated As {@link IRouter.param}. @param callback makes the function from the arguments of `param` */
  param(callback: ParamMaker): this;
}

/**
 * `express.Router`: makes a router, and is the prototype of all routers. Not an interface: the call that makes a router has to be the last
 * one, because `ReturnType<typeof express.Router>` is that of the last.
 */
export type RouterMaker = NonstopRouter & {
  /**
   * Makes a router: middleware and routes of their own, to be mounted with `app.use(path, router)`.
   *
   * @typeParam T for a cast, `Router() as Grouping`: a type with members that a package adds
   * @param options how it matches: `caseSensitive`, `mergeParams`, `strict`, each `false` by default
   * @see https://expressjs.com/en/4x/api.html#express.router
   */
  <T extends Router = NonstopRouter>(options?: RouterOptions): T;
  /** The same. `ReturnType<typeof Router>` is that of the last form, as in `@types/express`. @param options as above */
  (options?: RouterOptions): Router;
};

/** One path and the handlers of its methods: what `app.route(path)` returns. */
export interface IRoute<Pattern extends Path = string> extends OwnIRoute<4, Pattern> {}

/** A route, with what `@types/express` leaves out. */
export interface Route<Pattern extends Path = string> extends OwnRoute<4, Pattern> {}

/** `express.Route`: makes a route that belongs to no router yet. */
export interface RouteConstructor extends OwnRouteConstructor<4> {}
