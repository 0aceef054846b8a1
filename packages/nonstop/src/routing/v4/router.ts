import { debugLog, debugging } from '../../core/debug-log.js';
import { lazy } from '../../core/lazy.js';
import { methods, callVerb, defineVerb } from '../../core/methods.js';
import { leadsWithHandler } from '../flat-handlers.js';
import type { OwnMoreVerbs, OwnVerbs } from '../../types/router.js';
import type { ParamHandles } from '../param-walk.js';
import type { RouterOptions } from '../router.js';
import type { Handle, Next, ParamHandle, Path, RoutedRequest, RoutedResponse } from '../shapes.js';
import { kDialect, Walk, type Walked } from '../walk.js';
import { defineStack } from '../watched-stack.js';
import { express4 } from './express4.js';
import { Layer } from './layer.js';
import { processParams, type ProcessParams } from './process-params.js';
import { Route } from './route.js';

const log = debugLog('express:router');
const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** Makes a param callback from the arguments of `router.param(name, fn)`. */
export type ParamMaker = (name: string, given: unknown) => ParamHandle | undefined;

/** A router is a handler with a stack of layers. It inherits its methods from the function that makes routers. */
export interface Router extends Walked, OwnVerbs<4>, OwnMoreVerbs<4> {
  (req: RoutedRequest, res: RoutedResponse, next: Next): void;
  params: ParamHandles;
  _params: ParamMaker[];
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
  stack: Layer[];
  /** Adds a callback for a param by name, or a function that makes callbacks. @throws Error without a callback */
  param(name: string | ParamMaker, handle?: unknown): this | undefined;
  handle(req: RoutedRequest, res: RoutedResponse, callback: Next): void;
  process_params: ProcessParams;
  /** Adds handlers for every path under this one. @throws TypeError without a handler, or for an invalid path */
  use(...pathAndHandles: unknown[]): this;
  /** Adds a route without handlers. @throws TypeError for an invalid path */
  route(path: Path): Route;
}

export type RouterMaker = Router & ((options?: RouterOptions) => Router);

export const Router: RouterMaker = function (options?: RouterOptions): Router {
  function router(req: RoutedRequest, res: RoutedResponse, next: Next): void {
    (router as Router).handle(req, res, next);
  }
  const made = Object.setPrototypeOf(router, Router) as Router;
  made.params = {};
  made._params = [];
  made.caseSensitive = options?.caseSensitive;
  made.mergeParams = options?.mergeParams;
  made.strict = options?.strict;
  defineStack(made, express4);
  return made;
} as RouterMaker;

Object.defineProperty(Router, kDialect, { value: express4 });
// It has no name in Express 4, and tools that list functions show the name.
Object.defineProperty(Router, 'name', { value: '' });

Router.param = function param(this: RouterMaker, name, given) {
  if (typeof name === 'function') {
    deprecate()('router.param(fn): Refactor to use path params');
    this._params.push(name);
    return undefined;
  }
  let bare = name;
  if (name[0] === ':') {
    bare = name.slice(1);
    deprecate()(`router.param(${JSON.stringify(name)}, fn): Use router.param(${JSON.stringify(bare)}, fn) instead`);
  }
  let handle = given;
  for (const make of this._params) handle = make(bare, handle) || handle;
  if (typeof handle !== 'function') throw new Error(`invalid param() call for ${bare}, got ${String(handle)}`);
  (this.params[bare] ||= []).push(handle as ParamHandle);
  return this;
};

Router.handle = function handle(this: Router, req, res, out) {
  if (debugging) logDispatching(req);
  new Walk(this, req, res, out).start();
};

/** The default of `handle`. */
export const plainHandle: Router['handle'] = Router.handle;

export function logDispatching({ method, url }: RoutedRequest): void {
  log('dispatching %s %s', method, url);
}

Router.process_params = processParams;

Router.use = function use(this: RouterMaker, ...given) {
  const pathless = leadsWithHandler(given[0]);
  const path = pathless ? '/' : (given[0] as Path);
  const handlers = (pathless ? given : given.slice(1)).flat(Infinity);
  if (handlers.length === 0) throw new TypeError('Router.use() requires a middleware function');
  for (const handler of handlers) {
    if (typeof handler !== 'function') {
      throw new TypeError(`Router.use() requires a middleware function but got a ${kindOf(handler)}`);
    }
    if (debugging) log('use %o %s', path, handler.name || '<anonymous>');
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, handler as Handle);
    layer.route = undefined;
    this.stack.push(layer);
  }
  return this;
};

Router.route = function route(this: Router, path) {
  const added = new Route(path);
  this.stack.push(Layer.toRoute(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, added));
  return added;
};

for (const method of [...methods, 'all']) {
  defineVerb(Router, method, function (this: Router, path: Path, ...handles: unknown[]) {
    callVerb(this.route(path), method, handles);
    return this;
  });
}

/** The type of a value for error texts; for objects their class name: `Null`, `Array`. */
function kindOf(value: unknown): string {
  const type = typeof value;
  return type === 'object' ? Object.prototype.toString.call(value).replace(/^\[object (\S+)\]$/, '$1') : type;
}
