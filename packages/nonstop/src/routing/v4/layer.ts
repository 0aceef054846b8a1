import { debugLog, debugging } from '../../core/debug-log.js';
import { bareDescriptor, define } from '../../core/define-own.js';
import { CountedParameters } from '../layer/counted-parameters.js';
import { decodeParam } from '../layer/decode-param.js';
import {
  kBindNothing,
  kFind,
  kHandleError,
  kHandleRequest,
  kIsAnywhere,
  kIsDirect,
  kIsPlain,
  type WalkedLayer,
  type WalkedRoute,
  type ErrorHandle,
  type Handle,
  type Next,
  type Params,
  type RequestHandle,
  type RoutedRequest,
  type RoutedResponse,
  type Match,
} from '../shapes.js';
import { generation } from '../generation.js';
import type { LayerOptions } from '../layer/layer.js';
import type { QuickPattern } from '../layer/quick-pattern.js';
import { compilePath, quickPattern, type Compiled, type Key, type LayerRegExp } from './path-regexp.js';

const log = debugLog('express:router:layer');

/** The property with the state that Express's layers do not have, as in `routing/layer/layer.ts`. */
const kInside = Symbol('inside');

class Inside extends CountedParameters {
  readonly slash: boolean;
  /** The function that a route's layer was made with: an accessor on the prototype may store another one as `handle`. */
  dispatch: Handle | undefined = undefined;
  /** The route that `dispatch` calls: a program may give the layer another one. */
  route: WalkedRoute | undefined = undefined;
  quick: QuickPattern | undefined;
  #compiled: Compiled | undefined;

  constructor(
    readonly written: unknown,
    private readonly options: LayerOptions,
  ) {
    super();
    this.slash = written === '/' && options.end === false;
    this.quick = quickPattern(written, options);
    if (this.quick === undefined) this.compile();
  }

  compile(): Compiled {
    return (this.#compiled ??= compilePath(this.written, this.options));
  }

  /** Takes a user's RegExp or keys in the place of its own, which disables the quick pattern. */
  replace(compiled: Partial<Compiled>): void {
    this.#compiled = { ...this.compile(), ...compiled };
    this.quick = undefined;
    generation.current++;
  }
}

/**
 * A layer as in Express 4: `match` returns true or false, and sets `params` and `path`.
 *
 * Fields are assigned, not defined as class fields, because packages put accessors for `handle` on the prototype.
 */
export class Layer implements WalkedLayer {
  declare handle: Handle;
  declare name: string;
  declare params: Params | undefined;
  declare path: string | undefined;
  /**
   * The names of the groups of {@link regexp}: objects, although Express's types say strings. Both are made on first read if
   * the quick pattern does the work.
   */
  declare keys: Key[] & string[];
  declare regexp: LayerRegExp;
  /** On the layers of a router: their route, or undefined. */
  declare route: WalkedRoute | undefined;
  /** On the layers of a route: the method; undefined there means every method. */
  declare method: string | undefined;
  declare readonly [kInside]: Inside | undefined;

  /** @throws TypeError for a value that is not a path; SyntaxError for a path that gives no valid RegExp */
  constructor(path: unknown, options: LayerOptions | null | undefined, handle: Handle) {
    if (debugging) log('new %o', path);
    const inside = new Inside(path, options ?? {});
    this.handle = handle;
    this.name = handle.name || '<anonymous>';
    this.params = undefined;
    this.path = undefined;
    Object.defineProperties(this, Layer.#compiled);
    define(this, kInside, { value: inside });
  }

  /** Makes the layer of a router for `route`. */
  static toRoute(path: unknown, options: LayerOptions, route: WalkedRoute): Layer {
    const dispatch = route.dispatch.bind(route);
    const layer = new Layer(path, options, dispatch);
    Object.assign(layer[kInside] as Inside, { dispatch, route });
    layer.route = route;
    return layer;
  }

  // Own properties as in Express; all layers share the accessors.
  static readonly #compiled = {
    keys: bareDescriptor({
      configurable: true,
      enumerable: true,
      get() {
        return (this[kInside] as Inside).compile().keys;
      },
      set(keys: Key[]) {
        (this[kInside] as Inside).replace({ keys });
      },
    } satisfies PropertyDescriptor & ThisType<Layer>),
    regexp: bareDescriptor({
      configurable: true,
      enumerable: true,
      get() {
        return (this[kInside] as Inside).compile().regexp;
      },
      set(regexp: LayerRegExp) {
        (this[kInside] as Inside).replace({ regexp });
      },
    } satisfies PropertyDescriptor & ThisType<Layer>),
  };

  /** @throws URIError with `status` 400 if a param is not properly encoded */
  match(path: string | null | undefined): boolean {
    if (path == null) return found(this, undefined, undefined);
    const inside = this[kInside];
    const quick = inside?.quick;
    if (quick === undefined) return matchByRegexp(this, path);
    if (inside?.slash) return found(this, {}, '');
    const extent = quick.extent(path);
    if (extent === -1) return found(this, undefined, undefined);
    const params: Params = {};
    found(this, params, extent === path.length ? path : path.substring(0, extent));
    quick.values(path, params);
    return true;
  }

  [kFind](path: string): Match | false {
    if (!this.match(path)) return false;
    const inside = this[kInside];
    const quick = inside?.quick;
    const keys = quick === undefined ? this.keys.map(({ name }) => String(name)) : quick.names;
    return { params: this.params as Params, path: this.path as string, keys, pattern: inside?.written };
  }

  get [kIsAnywhere](): boolean {
    const inside = this[kInside];
    return (
      inside !== undefined && inside.slash && inside.quick !== undefined && this.match === plainMatch && !this.route
    );
  }

  [kBindNothing](): Params {
    const params: Params = {};
    found(this, params, '');
    return params;
  }

  get [kIsDirect](): boolean {
    const inside = this[kInside];
    return (
      inside !== undefined &&
      this.handle === inside.dispatch &&
      this.handle_request === plainHandleRequest &&
      inside.route !== undefined &&
      this.route === inside.route &&
      inside.route[kIsPlain]
    );
  }

  get [kHandleRequest](): Layer['handle_request'] {
    return this.handle_request;
  }

  get [kHandleError](): Layer['handle_error'] {
    return this.handle_error;
  }

  /** Calls an error handler. If the handler is not one, the error goes to `next`. A returned promise is ignored. */
  handle_error(error: unknown, req: RoutedRequest, res: RoutedResponse, next: Next): void {
    const handle = this.handle as ErrorHandle;
    if (parametersOf(this, handle) !== 4) return next(error);
    try {
      handle(error, req, res, next);
    } catch (thrown) {
      next(thrown);
    }
  }

  /** Calls a handler. If it is an error handler, `next` is called. A returned promise is ignored. */
  handle_request(req: RoutedRequest, res: RoutedResponse, next: Next): void {
    const handle = this.handle as RequestHandle;
    if (parametersOf(this, handle) > 3) return next();
    try {
      handle(req, res, next);
    } catch (thrown) {
      next(thrown);
    }
  }
}

function found(layer: Layer, params: Params | undefined, path: string | undefined): boolean {
  layer.params = params;
  layer.path = path;
  return path !== undefined;
}

function matchByRegexp(layer: Layer, path: string): boolean {
  const { regexp, keys } = layer;
  if (regexp.fast_slash) return found(layer, {}, '');
  if (regexp.fast_star) return found(layer, { '0': decodeParam(path) }, path);
  const groups = regexp.exec(path);
  if (groups === null) return found(layer, undefined, undefined);
  const params: Params = {};
  found(layer, params, groups[0]);
  for (let i = 1; i < groups.length; i++) {
    const { name } = keys[i - 1];
    const group = groups[i] as string | undefined;
    const value = (group === undefined ? group : decodeParam(group)) as string;
    if (value !== undefined || !Object.hasOwn(params, name)) params[name] = value;
  }
  return true;
}

function parametersOf(layer: Layer, handle: Handle): number {
  const inside = layer[kInside];
  return inside === undefined ? handle.length : inside.parametersOf(handle);
}

/** The quick pattern if it decides alone; undefined if the layer has to be asked. */
export function quickOf(layer: Layer): QuickPattern | undefined {
  const inside = layer[kInside];
  return inside === undefined || inside.slash || layer.match !== plainMatch ? undefined : inside.quick;
}

// Instrumentation may patch these; the shortcuts are used only while they are unchanged.
export const plainHandleRequest = Layer.prototype.handle_request;
export const plainMatch = Layer.prototype.match;

// As in Express 4: express-rate-limit looks for this name in a stack.
Object.defineProperty(plainHandleRequest, 'name', { value: 'handle' });
