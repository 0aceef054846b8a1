import { callableClass } from '../core/callable-class.js';
import { debugLog, debugging } from '../core/debug-log.js';
import { lowerMethod, methods, defineVerb } from '../core/methods.js';
import { assertHandler, flatHandlers } from './flat-handlers.js';
import { Layer } from './layer/layer.js';
import type { OwnRoute } from '../types/route.js';
import {
  kAllowed,
  kIsPlain,
  kServes,
  kServing,
  type WalkedRoute,
  type Handles,
  type Next,
  type RoutedRequest,
  type RoutedResponse,
} from './shapes.js';
import { RouteWalk } from './route-walk.js';

const log = debugLog('router:route');

/** The methods that add handlers, with their public types. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the static block adds each of them
export interface Route extends Omit<OwnRoute<5, string>, 'all' | 'dispatch' | 'methods' | 'path' | 'stack'> {}

/** The handlers of one path, each for one method or for all. */
export class Route implements WalkedRoute {
  readonly path: unknown;
  stack: Layer[] = [];
  /** The methods that have a handler, in lower case; `_all` if a handler takes every method. */
  methods: Record<string, boolean> = Object.create(null) as Record<string, boolean>;

  constructor(path: unknown) {
    if (debugging) log('new %o', path);
    this.path = path;
  }

  /** Adds handlers for every method. @throws TypeError if there is none, or one is not a function */
  all(_handle: Handles): this {
    return addHandlers(this, undefined, arguments);
  }

  /** Runs the handlers for the request's method; `done` gets what the last of them passed to `next`. */
  dispatch(req: RoutedRequest, res: RoutedResponse, done: Next): void {
    if (this.stack.length === 0) return done();
    req.route = this;
    new RouteWalk(this, req, res, done).advance();
  }

  _handlesMethod(method: unknown): boolean {
    return has(this, lowerMethod(method));
  }

  [kServes](method: unknown): boolean {
    if (this._handlesMethod !== plainHandles) return Boolean(this._handlesMethod(method));
    return has(this, lowerMethod(method));
  }

  [kServing](method: unknown): string {
    return method === 'head' && !this.methods['head'] ? 'get' : (method as string);
  }

  /** Method names in upper case for an Allow field; with `includeAll`, `*` for a handler of every method. */
  _methods(includeAll?: boolean): string[] {
    const names: string[] = [];
    for (const method of Object.keys(this.methods)) {
      if (method !== '_all') names.push(method.toUpperCase());
      else if (includeAll) names.push('*');
    }
    if (this.methods['get'] && !this.methods['head']) names.push('HEAD');
    return names;
  }

  [kAllowed](): string[] {
    return this._methods();
  }

  get [kIsPlain](): boolean {
    return this.dispatch === plainDispatch;
  }

  static {
    for (const method of methods) {
      defineVerb(this.prototype, method, function (this: Route, _handle: unknown) {
        return addHandlers(this, method, arguments);
      });
    }
  }
}

/** {@link Route} for programs, which may call it without `new`. */
export const RouteFunction = callableClass(Route, ['_handlesMethod', '_methods', 'dispatch', 'all']);

const plainDispatch = Route.prototype.dispatch;
const plainHandles = Route.prototype._handlesMethod;

/** @param method in lower case; HEAD is served by GET if it has no handler of its own */
function has(route: Route, method: unknown): boolean {
  const known = route.methods;
  return Boolean(known['_all'] || known[route[kServing](method)]);
}

function addHandlers<R extends Route>(route: R, method: string | undefined, given: Iterable<unknown>): R {
  for (const handle of flatHandlers([...given])) {
    assertHandler(handle);
    if (debugging && method !== undefined) log('%s %s', method, route.path);
    const layer = new Layer('/', {}, handle);
    layer.method = method;
    route.methods[method ?? '_all'] = true;
    route.stack.push(layer);
  }
  return route;
}
