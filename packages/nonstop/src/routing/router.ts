import { debugLog, debugging } from '../core/debug-log.js';
import { methods, callVerb, defineVerb } from '../core/methods.js';
import { assertHandler, flatHandlers, leadsWithHandler } from './flat-handlers.js';
import { express5 } from './express5.js';
import { Layer } from './layer/layer.js';
import type { OwnMoreVerbs, OwnVerbs } from '../types/router.js';
import type { ParamHandles } from './param-walk.js';
import { Route, RouteFunction } from './route.js';
import type { Handles, Next, ParamHandle, Path, RoutedRequest, RoutedResponse } from './shapes.js';
import { kDialect, Walk, type LastResort, type Walked } from './walk.js';
import { defineStack } from './watched-stack.js';

const log = debugLog('router');

export interface RouterOptions {
  readonly caseSensitive?: boolean | undefined;
  readonly mergeParams?: boolean | undefined;
  readonly strict?: boolean | undefined;
}

/** One line of {@link Router.listRoutes}. */
export interface ListedRoute {
  readonly path: unknown;
  /** Undefined for a mounted router. */
  readonly methods: string[] | undefined;
  readonly router: unknown;
}

/** A router is a handler with a stack of layers. Its methods for each verb are on the prototype too. */
export interface Router extends Walked, OwnVerbs<5>, OwnMoreVerbs<5> {
  (req: RoutedRequest, res: RoutedResponse, next: Next): void;
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
  params: ParamHandles;
  stack: Layer[];
  /** Adds a callback for a param by name. @throws TypeError if an argument is missing or has the wrong type */
  param(name: string, handle: ParamHandle): this;
  /** Sends a request through the layers; `callback` is called when none responds. @throws TypeError without a callback */
  handle(req: RoutedRequest, res: RoutedResponse, callback: Next): void;
  /** Adds handlers for every path under this one. @throws TypeError without a handler, or for an invalid path */
  use(...pathAndHandles: (Path | Handles)[]): this;
  /** Adds a route without handlers. @throws TypeError for an invalid path */
  route(path: Path): Route;
  /** The routes and mounted routers, one entry for each path. */
  listRoutes(): ListedRoute[];
}

export interface RouterConstructor {
  new (options?: RouterOptions): Router;
  (options?: RouterOptions): Router;
  prototype: Router;
  Route: typeof Route;
}

/** Works with and without `new`; a class may extend it. */
export const Router: RouterConstructor = function Router(this: unknown, options?: RouterOptions): Router {
  if (!(this instanceof (Router as RouterConstructor))) return new (Router as RouterConstructor)(options);
  function router(req: RoutedRequest, res: RoutedResponse, next: Next): void {
    (router as Router).handle(req, res, next);
  }
  Object.assign(Object.setPrototypeOf(router, this) as Router, {
    caseSensitive: options?.caseSensitive,
    mergeParams: options?.mergeParams,
    params: {},
    strict: options?.strict,
  });
  defineStack(router, express5);
  return router as Router;
} as RouterConstructor;

// A function, because routers inherit from it and need `call`, `apply` and `bind`. Express's has no name.
Router.prototype = function () {} as object as Router;
Router.Route = RouteFunction;
Object.defineProperty(Router.prototype, kDialect, { value: express5 });

Router.prototype.param = function param(this: Router, name, handle) {
  if (!name) throw new TypeError('argument name is required');
  if (typeof name !== 'string') throw new TypeError('argument name must be a string');
  if (!handle) throw new TypeError('argument fn is required');
  if (typeof handle !== 'function') throw new TypeError('argument fn must be a function');
  (this.params[name] ||= []).push(handle);
  return this;
};

Router.prototype.handle = function handle(this: Router, req, res, callback) {
  if (!callback) throw new TypeError('argument callback is required');
  walk(this, req, res, callback);
};

/** The default of `handle`. */
export const plainHandle: Router['handle'] = Router.prototype.handle;

export function walk(router: Router, req: RoutedRequest, res: RoutedResponse, callback: Next | LastResort): void {
  if (debugging) log('dispatching %s %s', req.method, req.url);
  new Walk(router, req, res, callback).start();
}

Router.prototype.use = function use(this: Router, first: unknown, ...more: unknown[]) {
  const pathless = leadsWithHandler(first);
  const path = pathless ? '/' : (first as Path);
  for (const handle of flatHandlers(pathless ? [first, ...more] : more)) {
    assertHandler(handle);
    if (debugging) log('use %o %s', path, handle.name || '<anonymous>');
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, handle);
    layer.route = undefined;
    this.stack.push(layer);
  }
  return this;
};

Router.prototype.route = function route(this: Router, path) {
  const added = new Route(path);
  this.stack.push(Layer.toRoute(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, added));
  return added;
};

Router.prototype.listRoutes = function listRoutes(this: Router) {
  return this.stack.flatMap(({ route, handle, rawPath }): ListedRoute[] => {
    const mounted = !route && 'stack' in handle && Array.isArray(handle.stack);
    if (!route && !mounted) return [];
    const paths: unknown[] = Array.isArray(rawPath) ? rawPath : [rawPath];
    return paths.map((path) => ({
      path,
      methods: (route as Route | null | undefined)?._methods(true),
      router: mounted ? handle : undefined,
    }));
  });
};

for (const method of [...methods, 'all']) {
  defineVerb(Router.prototype, method, function (this: Router, path: Path, ...handles: unknown[]) {
    callVerb(this.route(path), method, handles);
    return this;
  });
}
