import { lowerMethod } from '../core/methods.js';
import { watch } from './channels.js';
import {
  kHandleError,
  kHandleRequest,
  kServing,
  type WalkedLayer,
  type WalkedRoute,
  type Next,
  type RoutedRequest,
  type RoutedResponse,
} from './shapes.js';
import { noteLeftRoute } from './route-pattern.js';
import { traceLayer } from './trace-layer.js';

/** After this many handlers in a row that call `next` synchronously, the call stack is unwound. */
export const MAX_SYNC = 100;

/** One pass of one request through the handlers of a route. */
export class RouteWalk {
  private readonly req: RoutedRequest;
  private readonly res: RoutedResponse;
  private readonly done: Next;
  private readonly stack: readonly WalkedLayer[];
  private readonly method: string;
  private index = 0;
  private sync = 0;
  private readonly next: Next;

  constructor(route: WalkedRoute, req: RoutedRequest, res: RoutedResponse, done: Next) {
    this.req = req;
    this.res = res;
    this.done = done;
    this.stack = route.stack;
    this.method = route[kServing](lowerMethod(req.method));
    // Through a variable, for the reason given in `Walk`.
    const next: Next = (err) => this.advance(err);
    this.next = next;
  }

  /** Skips the handlers before `index`. */
  from(index: number): this {
    this.index = index;
    return this;
  }

  advance(err?: unknown): void {
    const { stack } = this;
    if (err === 'route') return this.leave();
    if (err === 'router' || this.index >= stack.length) return this.leave(err);
    if (++this.sync > MAX_SYNC) {
      setImmediate(this.next, err);
      return;
    }
    const layer = this.nextLayer();
    if (layer === undefined) return this.leave(err);
    if (watch.handlers) traceLayer({ layer, req: this.req, res: this.res, error: err }, this.next);
    else if (err) layer[kHandleError](err, this.req, this.res, this.next);
    else layer[kHandleRequest](this.req, this.res, this.next);
    this.sync = 0;
  }

  private leave(err?: unknown): void {
    // It is called without a `this`, as in Express.
    const { done } = this;
    noteLeftRoute(this.req, this.res);
    done(err);
  }

  private nextLayer(): WalkedLayer | undefined {
    const { stack, method } = this;
    while (this.index < stack.length) {
      const layer = stack[this.index++];
      if (!layer.method || layer.method === method) return layer;
    }
    return undefined;
  }
}
