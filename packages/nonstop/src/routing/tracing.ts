import dc = require('node:diagnostics_channel');
import type { Handle, Next, RoutedRequest, RoutedResponse, WalkedLayer } from './shapes.js';

/** A layer whose handler's calls are told. */
export interface TracedLayer extends WalkedLayer {
  readonly handle: Handle;
}

/** What subscribers of the channel are given; the fields are those of Express's router. */
export interface TraceContext {
  readonly req: RoutedRequest;
  readonly res: RoutedResponse;
  readonly layer: TracedLayer;
  readonly handler: unknown;
  /** The path of the layer that matched, as the user wrote it. */
  readonly route: unknown;
  readonly param?: string;
  readonly incomingError?: unknown;
  readonly errorHandler?: true;
  result?: unknown;
  error?: unknown;
}

/** `tracing:express.router.request:*`: one trace for each handler that runs. */
export const channel = dc.tracingChannel<TraceContext, TraceContext>('express.router.request');

const { start: startChannel, end: endChannel, asyncStart, asyncEnd, error: errorChannel } = channel;

/** Whether anybody listens. Asked for each handler: 2 ns, as the getters are inlined. */
export function tracing(): boolean {
  return (
    startChannel.hasSubscribers ||
    endChannel.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    errorChannel.hasSubscribers
  );
}

/** Errors of a request that were seen already. A registered symbol, shared with Express's router where both are in one process. */
const seenErrors: unique symbol = Symbol.for('router.tracing.publishedErrors') as never;

interface Remembering {
  [seenErrors]?: Set<unknown>;
}

/** `'route'` and `'router'` lead the way, they do not tell of a failure. */
function isSignal(error: unknown): boolean {
  return error === 'route' || error === 'router';
}

/**
 * Remembers that this error has left where it came from, so that no router around it claims it.
 *
 * @returns true where it is new
 */
export function rememberError(req: RoutedRequest & Remembering, error: unknown): boolean {
  if (!error || isSignal(error)) return false;
  const seen = (req[seenErrors] ??= new Set());
  if (seen.has(error)) return false;
  seen.add(error);
  return true;
}

/**
 * `next` as a traced handler gets it: it publishes a new error once, at its origin.
 *
 * An error that was handed to an error handler did not originate there; when the handler recovers or gives another one, the
 * same object counts as new if it comes back later.
 */
export function tracedNext(context: TraceContext, next: Next): Next {
  const { req, errorHandler, incomingError } = context;
  if (errorHandler) rememberError(req, incomingError);
  return (error) => {
    if (errorHandler && error !== incomingError) (req as Remembering)[seenErrors]?.delete(incomingError);
    if (rememberError(req, error)) {
      context.error = error;
      errorChannel.publish(context);
    }
    next(error);
  };
}

/** Puts what was thrown on the context where nothing is yet. A signal thrown synchronously ends like `next('route')`. */
export function noteThrown(context: TraceContext, thrown: unknown, synchronous: boolean): void {
  if (isSignal(thrown)) {
    if (synchronous) context.result = undefined;
  } else if (!('error' in context)) {
    context.error = thrown;
  }
}

/** The synchronous end. Of a handler that goes on, an error known by now is hidden: at `end` it would read as settled. */
export function publishEnd(context: TraceContext, goesOn: boolean): void {
  if (!goesOn || !('error' in context)) {
    endChannel.publish(context);
    return;
  }
  const { error } = context;
  delete context.error;
  endChannel.publish(context);
  context.error = error;
}

/** The asynchronous end, inside the stores that are bound to `asyncStart`. */
export function publishAsyncEnd(context: TraceContext): void {
  asyncStart.runStores(context, () => asyncEnd.publish(context));
}
