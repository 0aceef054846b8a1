import { debugLog, debugging } from '../../core/debug-log.js';
import { bareDescriptor, define } from '../../core/define-own.js';
import { findByMatch } from '../foreign-layer.js';
import { generation } from '../generation.js';
import { CountedParameters } from './counted-parameters.js';
import { compileMatcher, withoutTrailingSlashes, type Matcher } from './matchers.js';
import { withAdvice } from './path-advice.js';
import { PATHS_OF_5, QuickPattern, type PatternOptions } from './quick-pattern.js';
import {
  kBindNothing,
  kFind,
  kHandleError,
  kHandleRequest,
  kIsAnywhere,
  kIsDirect,
  kIsPlain,
  type ErrorHandle,
  type Handle,
  type Match,
  type Next,
  type Params,
  type RequestHandle,
  type RoutedRequest,
  type RoutedResponse,
  type WalkedLayer,
  type WalkedRoute,
} from '../shapes.js';
import { deprecate, ignoreValue, isThenable, reasonOf } from '../thenable.js';
import { traceHandle } from '../trace-handle.js';
import { tracing } from '../tracing.js';

const log = debugLog('router:layer');

/** The options of a layer, as a router passes them. */
export interface LayerOptions {
  readonly sensitive?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly end?: boolean | undefined;
}

const NO_OPTIONS: LayerOptions = Object.freeze({});
const NO_KEYS: readonly string[] = Object.freeze([]);
const NO_MATCH = Object.freeze({ params: undefined, path: undefined });

let leavesMatches = false;

/** The property of a layer with the state that Express's layers do not have. It is not enumerable, so that programs do not list it. */
const kInside = Symbol('inside');

class Inside extends CountedParameters {
  /** The original `handle` of a route's layer. While it is unchanged, the walk may enter the route without calling it. */
  dispatch: Handle | undefined = undefined;
  /** The route that `dispatch` calls: a program may give the layer another one. */
  route: WalkedRoute | undefined = undefined;
  #compiled: Matcher[] | undefined;

  constructor(
    private readonly path: unknown,
    private readonly options: PatternOptions,
    public quick: QuickPattern | undefined,
  ) {
    super();
    this.#compiled = quick === undefined ? this.#compile() : undefined;
  }

  get matchers(): Matcher[] {
    return (this.#compiled ??= this.#compile());
  }

  replace(matchers: Matcher[]): void {
    this.#compiled = matchers;
    this.quick = undefined;
  }

  #compile(): Matcher[] {
    const paths: unknown[] = Array.isArray(this.path) ? this.path : [this.path];
    return paths.map((path) => {
      try {
        return compileMatcher(path, this.options);
      } catch (error) {
        throw withAdvice(error, path, this.options);
      }
    });
  }
}

/**
 * One entry of a stack: a path, and the handler to call when it matches.
 *
 * The fields and the three methods are those of Express's layers, because instrumentation reads and wraps them: `handle`
 * may be replaced at any time, and the methods may be patched on the prototype. They also work on a copy of a layer, which has
 * nothing behind {@link kInside}.
 */
export class Layer implements WalkedLayer {
  // Assigned, not defined as class fields, because packages put accessors for `handle` on the prototype.
  declare handle: Handle;
  declare name: string;
  /** Declared by the public types, which have it from Express 4; not set, except by {@link leaveMatches}. */
  declare keys: string[];
  /** Declared by the public types; never set. */
  declare regexp: RegExp;
  /** The path as the user wrote it; a list is flattened and copied. */
  declare rawPath: unknown;
  /** Whether every path matches, and no prefix is removed. */
  declare slash: boolean;
  /** The route of this layer, if it belongs to a router and has one. */
  declare route: WalkedRoute | undefined;
  /** The method of a layer that belongs to a route; undefined there means every method. */
  declare method: string | undefined;
  /** One function for each path. Made on first read if the quick pattern does the work, since that cannot fail to compile. */
  declare matchers: Matcher[];
  declare readonly [kInside]: Inside | undefined;

  /** @throws TypeError if path-to-regexp cannot parse the path */
  constructor(path: unknown, given: LayerOptions | null | undefined, handle: Handle) {
    if (debugging) log('new %o', path);
    const options = given ?? NO_OPTIONS;
    this.handle = handle;
    this.name = handle.name || '<anonymous>';
    this.rawPath = Array.isArray(path) ? path.flat(Infinity) : path;
    this.slash = path === '/' && options.end === false;
    const patternOptions = {
      sensitive: Boolean(options.sensitive),
      end: options.end ?? true,
      trailing: !options.strict,
    };
    const quick = typeof path === 'string' ? quickPattern(path, patternOptions) : undefined;
    Object.defineProperty(this, 'matchers', Layer.#matchers);
    define(this, kInside, { value: new Inside(this.rawPath, patternOptions, quick) });
  }

  /** Makes the layer of a router for `route`. @throws TypeError if path-to-regexp cannot parse the path */
  static toRoute(path: unknown, options: LayerOptions, route: WalkedRoute): Layer {
    function handle(req: RoutedRequest, res: RoutedResponse, next: Next): void {
      route.dispatch(req, res, next);
    }
    const layer = new Layer(path, options, handle);
    layer.route = route;
    Object.assign(layer[kInside] as Inside, { dispatch: handle, route });
    return layer;
  }

  /** An own property as in Express, which programs that list routes look for; all layers share the accessor. */
  static readonly #matchers = bareDescriptor({
    configurable: true,
    enumerable: true,
    get() {
      return (this[kInside] as Inside).matchers;
    },
    // Assigning matchers disables the quick pattern.
    set(matchers: Matcher[]) {
      (this[kInside] as Inside).replace(matchers);
      generation.current++;
    },
  } satisfies PropertyDescriptor & ThisType<Layer>);

  /** For programs with router 2.0 to 2.2: from now on `match()` also leaves what it found on the layer, as it does there. */
  static leaveMatches(): void {
    leavesMatches = true;
  }

  /**
   * @returns false if the path does not match
   * @throws URIError with `status` 400 if a param is not properly encoded
   */
  match(path: string | null | undefined): Match | false {
    const found = matchOf(this, path);
    // Copied, because the caller may write to `keys`, which all requests share.
    const match = found && { ...found, keys: [...found.keys] };
    if (leavesMatches) leaveOn(this, match);
    return match;
  }

  [kFind](path: string): Match | false {
    return this.match === plainMatch ? matchOf(this, path) : findByMatch(this, path);
  }

  get [kIsAnywhere](): boolean {
    return this.slash && !this.route && this.match === plainMatch;
  }

  [kBindNothing](): Params {
    return {};
  }

  get [kIsDirect](): boolean {
    const inside = this[kInside];
    return (
      inside !== undefined &&
      this.handle === inside.dispatch &&
      this.handleRequest === plainHandleRequest &&
      inside.route !== undefined &&
      this.route === inside.route &&
      inside.route[kIsPlain]
    );
  }

  get [kHandleRequest](): Layer['handleRequest'] {
    return this.handleRequest;
  }

  get [kHandleError](): Layer['handleError'] {
    return this.handleError;
  }

  /** Calls an error handler. If the handler is not one, the error goes to `next`. */
  handleError(error: unknown, req: RoutedRequest, res: RoutedResponse, next: Next): void {
    const handle = this.handle as ErrorHandle;
    if (parametersOf(this, handle) !== 4) return next(error);
    if (tracing()) return traceHandle({ req, res, layer: this, incoming: { error } }, next);
    try {
      const returned = handle(error, req, res, next);
      if (returned !== undefined && isThenable(returned)) forwardRejection(returned, next);
    } catch (thrown) {
      next(thrown);
    }
  }

  /** Calls a handler. If it is an error handler, `next` is called. */
  handleRequest(req: RoutedRequest, res: RoutedResponse, next: Next): void {
    const handle = this.handle as RequestHandle;
    if (parametersOf(this, handle) > 3) return next();
    // A route's own dispatch is not traced; each handler inside it is.
    if (!this.route && tracing()) return traceHandle({ req, res, layer: this }, next);
    try {
      const returned = handle(req, res, next);
      if (returned !== undefined && isThenable(returned)) forwardRejection(returned, next);
    } catch (thrown) {
      next(thrown);
    }
  }
}

function parametersOf(layer: Layer, handle: Handle): number {
  const inside = layer[kInside];
  return inside === undefined ? handle.length : inside.parametersOf(handle);
}

/** The quick pattern; undefined if path-to-regexp or the user's RegExp does the matching. */
export function quickOf(layer: Layer): QuickPattern | undefined {
  return layer[kInside]?.quick;
}

// Instrumentation may patch these; the shortcuts are used only while they are unchanged.
const plainHandleRequest = Layer.prototype.handleRequest;
export const plainMatch = Layer.prototype.match;

function leaveOn(layer: Layer, match: Match | false): void {
  const { params, path } = match || NO_MATCH;
  Object.assign(layer, { params, path });
  if (match !== false) layer.keys = [...match.keys];
}

function matchOf(layer: Layer, path: string | null | undefined): Match | false {
  if (path == null) return false;
  if (layer.slash) return { params: {}, path: '', keys: NO_KEYS, pattern: layer.rawPath };
  const quick = quickOf(layer);
  if (quick === undefined) return matchByMatchers(layer, path);
  const extent = quick.extent(path);
  if (extent === -1) return false;
  const matched = extent === path.length ? path : path.substring(0, extent);
  const params = quick.values(path, Object.create(null) as Params);
  return { params, path: matched, keys: quick.keys, pattern: layer.rawPath };
}

function matchByMatchers({ matchers, rawPath }: Layer, path: string): Match | false {
  for (let i = 0; i < matchers.length; i++) {
    const bound = matchers[i](path);
    // A program's matcher may return undefined.
    if (!bound) continue;
    const pattern: unknown = Array.isArray(rawPath) ? rawPath[i] : rawPath;
    return { params: bound.params, path: bound.path, keys: Object.keys(bound.params), pattern };
  }
  return false;
}

function quickPattern(path: string, options: PatternOptions): QuickPattern | undefined {
  return QuickPattern.compile(options.trailing ? withoutTrailingSlashes(path) : path, options, PATHS_OF_5);
}

/** @throws the error of a `then` that throws */
function forwardRejection(returned: PromiseLike<unknown>, next: Next): void {
  if (!(returned instanceof Promise)) {
    deprecate()('handlers that are Promise-like are deprecated, use a native Promise instead');
  }
  returned.then(ignoreValue, (reason: unknown) => next(reasonOf(reason)));
}
