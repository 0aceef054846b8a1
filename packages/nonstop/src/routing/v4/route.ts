import { callableClass } from '../../core/callable-class.js';
import { debugLog, debugging } from '../../core/debug-log.js';
import { lowerMethod, methods, defineVerb } from '../../core/methods.js';
import type { OwnRoute } from '../../types/route.js';
import {
  kAllowed,
  kIsPlain,
  kServes,
  kServing,
  type WalkedRoute,
  type Handle,
  type Next,
  type RoutedRequest,
  type RoutedResponse,
} from '../shapes.js';
import { RouteWalk } from '../route-walk.js';
import { Layer } from './layer.js';

const log = debugLog('express:router:route');

/** The methods that add handlers, with their public types. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the static block adds each of them
export interface Route extends Omit<OwnRoute<4, string>, 'all' | 'dispatch' | 'methods' | 'path' | 'stack'> {}

/** The handlers of one path, as in Express 4; there may be none. */
export class Route implements WalkedRoute {
  path: unknown;
  stack: Layer[] = [];
  /** The methods that have a handler, in lower case; `_all` if a handler takes every method. */
  methods: Record<string, boolean> = {};

  constructor(path: unknown) {
    this.path = path;
    if (debugging) log('new %o', path);
  }

  /** Adds handlers for every method. @throws TypeError if one is not a function */
  all(...handles: unknown[]): this {
    for (const handle of handles.flat(Infinity)) {
      if (typeof handle !== 'function') throw new TypeError(noHandler('all', handle));
      addHandler(this, undefined, handle as Handle);
    }
    return this;
  }

  /** Runs the handlers for the request's method; `done` gets what the last of them passed to `next`. */
  dispatch(req: RoutedRequest, res: RoutedResponse, done: Next): void {
    if (this.stack.length === 0) return done();
    req.route = this;
    new RouteWalk(this, req, res, done).advance();
  }

  _handles_method(method: unknown): boolean {
    return has(this, lowerMethod(method));
  }

  [kServes](method: unknown): boolean {
    if (this._handles_method !== plainHandles) return Boolean(this._handles_method(method));
    return has(this, lowerMethod(method));
  }

  /** Method names in upper case for an Allow field. */
  _options(): string[] {
    const names = Object.keys(this.methods);
    if (this.methods['get'] && !this.methods['head']) names.push('head');
    return names.map((name) => name.toUpperCase());
  }

  [kServing](method: unknown): string {
    return method === 'head' && !this.methods['head'] ? 'get' : (method as string);
  }

  [kAllowed](): string[] {
    return this._options();
  }

  get [kIsPlain](): boolean {
    return this.dispatch === plainDispatch;
  }

  static {
    for (const method of methods) {
      defineVerb(this.prototype, method, function (this: Route, ...handles: unknown[]) {
        for (const handle of handles.flat(Infinity)) {
          if (typeof handle !== 'function') throw new Error(noHandler(method, handle));
          if (debugging) log('%s %o', method, this.path);
          addHandler(this, method, handle as Handle);
        }
        return this;
      });
    }
  }
}

/** {@link Route} for programs, which may call it without `new`. */
export const RouteFunction = callableClass(Route, ['_handles_method', '_options', 'dispatch', 'all']);

const plainDispatch = Route.prototype.dispatch;
const plainHandles = Route.prototype._handles_method;

/** @param method in lower case; HEAD is served by GET if it has no handler of its own */
function has(route: Route, method: unknown): boolean {
  const known = route.methods;
  return Boolean(known['_all'] || known[route[kServing](method)]);
}

function addHandler(route: Route, method: string | undefined, handle: Handle): void {
  const layer = new Layer('/', {}, handle);
  layer.method = method;
  route.methods[method ?? '_all'] = true;
  route.stack.push(layer);
}

function noHandler(method: string, given: unknown): string {
  return `Route.${method}() requires a callback function but got a ${Object.prototype.toString.call(given)}`;
}
