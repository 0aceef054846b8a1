import { debugging } from '../core/debug-log.js';
import { lowerMethod } from '../core/methods.js';
import { watch } from './channels.js';
import { NO_CANDIDATES, nextLayer, watchedStackOf, type Cursor, type Shortlisted } from './cursor.js';
import type { Positions, Shortlist } from './shortlist.js';
import type { RoutingDialect } from './dialect.js';
import {
  kAllowed,
  kBindNothing,
  kFind,
  kHandleError,
  kHandleRequest,
  kIsAnywhere,
  kIsDirect,
  kServes,
  kServing,
  type WalkedLayer,
  type WalkedRoute,
  type Next,
  type Params,
  type RoutedRequest,
  type RoutedResponse,
  type Match,
} from './shapes.js';
import type { WatchedStack } from './watched-stack.js';
import { kPosition, type Position, type Positioned, noteFailedRoute, noteLeftRoute } from './route-pattern.js';
import { mergeParams } from './merge-params.js';
import { MountedUrl } from './mounted-url.js';
import type { ParamCalls, ParamHandles } from './param-walk.js';
import { protohostOf, routedPathOf } from './pathname.js';
import { MAX_SYNC, RouteWalk } from './route-walk.js';
import { traceLayer, traceRoute } from './trace-layer.js';
import { publishError } from './trace.js';

/** The parts of a router that a walk reads. */
export interface Walked extends Shortlisted {
  readonly params: ParamHandles;
  readonly mergeParams?: boolean | undefined;
  /** The dialect of the router's Express. */
  readonly [kDialect]: RoutingDialect;
}

export const kDialect: unique symbol = Symbol('nonstop.routingDialect');

/** Responds if no handler has. Used instead of a callback, which would be a closure for each request. */
export interface LastResort {
  answerLast(req: RoutedRequest, res: RoutedResponse, error: unknown): void;
}

const NO_KEYS: readonly string[] = Object.freeze([]);

type WalkedRequest = RoutedRequest & Positioned;

/**
 * One pass of one request through the layers of one router; `next` closes over it.
 *
 * It sets the request's `baseUrl`, `params` and `next`, and restores those of its parent when it is done.
 */
export class Walk implements Cursor, Position {
  pattern: unknown = undefined;
  url = '';
  readonly owner: Walked;
  readonly dialect: RoutingDialect;
  readonly layers: readonly WalkedLayer[];
  readonly watched: WatchedStack | undefined;
  index = 0;
  listedFor: string | undefined = undefined;
  shortlist: Shortlist | undefined = undefined;
  candidates: Positions = NO_CANDIDATES;
  nextCandidate = 0;
  private readonly req: WalkedRequest;
  private readonly res: RoutedResponse;
  private readonly callback: Next | LastResort;
  private readonly protohost: string;
  private readonly next: Next;
  // The parent's values, restored at the end.
  private readonly baseUrl: string | undefined;
  private readonly params: Params | undefined;
  private readonly parentNext: Next | undefined;
  readonly outer: Position | undefined;
  private mounted: MountedUrl | undefined = undefined;
  private readonly mergesParams: boolean;
  private sync = 0;
  private path: string | null | undefined = undefined;
  /** The methods of the routes that matched, for an OPTIONS request without a handler. */
  private readonly allowed: string[] | undefined;
  private paramCalls: ParamCalls | undefined = undefined;
  /** The route whose only handler is running, with this walk's own `next`. */
  private sole: WalkedRoute | undefined = undefined;

  constructor(router: Walked, req: WalkedRequest, res: RoutedResponse, callback: Next | LastResort) {
    this.owner = router;
    this.watched = watchedStackOf(router);
    this.dialect = this.watched === undefined ? router[kDialect] : this.watched.dialect;
    this.layers = this.watched === undefined ? adopted(router.stack, this.dialect) : this.watched.layers;
    this.req = req;
    this.res = res;
    this.callback = callback;
    // Read once: a router is a function with its own prototype, and each property read costs 10 ns.
    this.mergesParams = Boolean(router.mergeParams);
    this.protohost = protohostOf(req.url);
    // Through a variable: V8 allocates a function literal that is assigned to a property directly in old space, where it
    // keeps its request alive until the next full collection (this doubled the memory of a busy server on Node 24).
    const next: Next = (err) => this.advance(err);
    this.next = next;
    this.baseUrl = req.baseUrl;
    this.params = req.params;
    this.parentNext = req.next;
    this.outer = req[kPosition];
    this.allowed = req.method === 'OPTIONS' ? [] : undefined;
  }

  /** @param passed the number of layers that are already done */
  start(passed = 0): void {
    this.index = passed;
    // Under Express these layers have called `next()`, and count when the stack is unwound.
    this.sync = passed;
    const { req } = this;
    req.next = this.next;
    req.baseUrl = req.baseUrl || '';
    req.originalUrl = req.originalUrl || req.url;
    req[kPosition] = this;
    if (passed === 0) this.advance();
    else this.advanceWithin(passed);
  }

  /** Under Express 4 each layer that is already done would catch what is thrown before the first handler. */
  private advanceWithin(layers: number): void {
    if (layers === 0) return this.advance();
    try {
      this.advanceWithin(layers - 1);
    } catch (thrown) {
      this.advance(thrown);
    }
  }

  private advance(given?: unknown): void {
    let err = given;
    if (err) {
      this.dialect.noteError(this.req, err);
      noteFailedRoute(this.req, err);
      if (watch.handlers) publishError(this.req, this.res, err);
    }
    if (this.sole !== undefined) {
      if (this.leaveSole(err)) return;
      if (err && err === 'route') err = undefined;
    }
    if (this.mounted !== undefined) this.mounted.restore();
    // `err &&` comes first: V8 turns a comparison with a text that has seen undefined into a call.
    const error = err && err === 'route' ? null : err;
    if (error && error === 'router') {
      setImmediate(leave, this, null);
    } else if (this.index >= this.layers.length) {
      setImmediate(leave, this, error);
    } else if (++this.sync > MAX_SYNC) {
      setImmediate(this.next, err);
    } else {
      this.findLayer(error);
    }
  }

  /** Runs the next layer that matches, or leaves the router. */
  private findLayer(pending: unknown): void {
    const { req } = this;
    let error = pending;
    const path = this.currentPath();
    if (path == null) return this.finish(error);
    for (let layer = nextLayer(this, path); layer !== undefined; layer = nextLayer(this, path)) {
      // Not if a program has replaced `process_params` of Express 4, which is then called for each layer.
      const isAnywhere = layer[kIsAnywhere] && !this.dialect.hasParamCallbacks(this.owner, NO_KEYS);
      let match: Match | false = false;
      let noParams: Params | undefined;
      try {
        if (isAnywhere) noParams = layer[kBindNothing]();
        else match = layer[kFind](path);
      } catch (thrown) {
        this.dialect.noteError(req, thrown);
        if (watch.handlers) publishError(req, this.res, thrown);
        error = error || thrown;
        continue;
      }
      if (noParams !== undefined) return this.enterAnywhere(layer, noParams, error);
      if (match === false) continue;
      // Routes are skipped while there is an error.
      if (layer.route && (error || !this.serves(layer.route))) continue;
      return this.enter(layer, match, error);
    }
    this.finish(error);
  }

  private currentPath(): string | null | undefined {
    const { url } = this.req;
    if (url !== this.url) {
      this.url = url;
      this.path = routedPathOf(this.req);
    }
    return this.path;
  }

  /** Whether the route may have a handler for the request's method; HEAD may enter every route. */
  private serves(route: WalkedRoute): boolean {
    const { method } = this.req;
    if (route[kServes](method)) return true;
    if (method === 'OPTIONS' && this.allowed !== undefined) this.allowed.push(...route[kAllowed]());
    return method === 'HEAD';
  }

  private enter(layer: WalkedLayer, match: Match, error: unknown): void {
    const { req, owner } = this;
    if (layer.route) req.route = layer.route as RoutedRequest['route'];
    this.pattern = match.pattern;
    req.params = this.mergesParams ? mergeParams(match.params, this.params, this.dialect.copyParams) : match.params;
    if (this.dialect.hasParamCallbacks(owner, match.keys)) {
      this.enterByParams(layer, match, error);
    } else {
      this.run(layer, match, error);
      this.sync = 0;
    }
  }

  /** {@link enter} for middleware without a path, the most common kind: nothing to match, and no prefix to remove. */
  private enterAnywhere(layer: WalkedLayer, params: Params, error: unknown): void {
    const { req, res } = this;
    this.pattern = layer.rawPath;
    req.params = this.mergesParams ? mergeParams(params, this.params, this.dialect.copyParams) : params;
    if (debugging) this.dialect.log('%s %s : %s', layer.name, '', req.originalUrl);
    if (watch.handlers) traceLayer({ layer, req, res, error }, this.next);
    else if (error) layer[kHandleError](error, req, res, this.next);
    else layer[kHandleRequest](req, res, this.next);
    this.sync = 0;
  }

  private enterByParams(layer: WalkedLayer, match: Match, error: unknown): void {
    this.dialect.runParamCallbacks({
      req: this.req as RoutedRequest & { params: Params },
      res: this.res,
      router: this.owner,
      layer,
      keys: match.keys,
      calls: (this.paramCalls ??= Object.create(null) as ParamCalls),
      done: (err) => {
        if (err) this.advance(error || err);
        else {
          // A callback may have sent the request through another router.
          if (layer.route) this.req.route = layer.route as RoutedRequest['route'];
          this.run(layer, match, error);
        }
        this.sync = 0;
      },
    });
  }

  private run(layer: WalkedLayer, match: Match, error: unknown): void {
    if (layer.route) return this.runRoute(layer, layer.route);
    if (match.path.length !== 0 && !this.trim(match.path)) return this.advance(error);
    if (debugging) this.dialect.log('%s %s : %s', layer.name, match.path, this.req.originalUrl);
    if (watch.handlers) traceLayer({ layer, req: this.req, res: this.res, error }, this.next);
    else if (error) layer[kHandleError](error, this.req, this.res, this.next);
    else layer[kHandleRequest](this.req, this.res, this.next);
  }

  private trim(matched: string): boolean {
    this.mounted ??= new MountedUrl(this.req, this.baseUrl || '', this.protohost, this.dialect);
    return this.mounted.trim(matched, this.path as string);
  }

  /**
   * Most routes have one handler. It gets the walk's own `next`, which saves the closure and the object of a {@link
   * RouteWalk}.
   */
  private runRoute(layer: WalkedLayer, route: WalkedRoute): void {
    if (watch.handlers) return traceRoute(layer, this.req, this.res, this.next);
    const { stack } = route;
    const only = stack[0];
    if (
      stack.length === 1 &&
      (!only.method || only.method === route[kServing](lowerMethod(this.req.method))) &&
      layer[kIsDirect]
    ) {
      this.sole = route;
      only[kHandleRequest](this.req, this.res, this.next);
    } else {
      layer[kHandleRequest](this.req, this.res, this.next);
    }
  }

  /**
   * Does what a route's `next` does, for a route with only one handler.
   *
   * @returns true if the walk continues inside the route, because its handler added another one
   */
  private leaveSole(err: unknown): boolean {
    const route = this.sole as WalkedRoute;
    this.sole = undefined;
    noteLeftRoute(this.req, this.res);
    if (route.stack.length < 2 || err === 'route' || err === 'router') return false;
    new RouteWalk(route, this.req, this.res, this.next).from(1).advance(err);
    return true;
  }

  /** Restores the request's state and calls the router's callback. */
  finish(error: unknown): void {
    const { allowed, res } = this;
    if (!error && allowed !== undefined && allowed.length !== 0) {
      this.dialect.answerOptions(res, allowed, (err) => this.giveBack(err));
    } else {
      this.giveBack(error);
    }
  }

  private giveBack(error: unknown): void {
    const { req, callback } = this;
    req.baseUrl = this.baseUrl;
    req.next = this.parentNext;
    req.params = this.params;
    req[kPosition] = this.outer;
    if (typeof callback === 'function') callback(error);
    else callback.answerLast(req, this.res, error);
  }
}

/** A stack that the user assigned. Its changes are not counted, so all of it is looked at for each request. */
function adopted(stack: readonly WalkedLayer[], dialect: RoutingDialect): readonly WalkedLayer[] {
  for (let i = 0; i < stack.length; i++) dialect.adopt(stack[i]);
  return stack;
}

function leave(walk: Walk, error: unknown): void {
  walk.finish(error);
}
