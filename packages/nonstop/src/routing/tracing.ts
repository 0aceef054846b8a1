import dc = require('node:diagnostics_channel');
import type { Handle, Next, RoutedRequest, RoutedResponse, WalkedLayer } from './shapes.js';

/** A layer whose handler calls are published. */
export interface TracedLayer extends WalkedLayer {
  readonly handle: Handle;
}

/** The message of the channel; its fields are those of Express's router. */
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

/** The channels `tracing:express.router.request:*`: one trace for each handler that runs. */
export const channel = dc.tracingChannel<TraceContext, TraceContext>('express.router.request');

const { start: startChannel, end: endChannel, asyncStart, asyncEnd, error: errorChannel } = channel;

/** Whether the channel has subscribers. Checked for each handler; it costs 2 ns, because the getters are inlined. */
export function tracing(): boolean {
  return (
    startChannel.hasSubscribers ||
    endChannel.hasSubscribers ||
    asyncStart.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    errorChannel.hasSubscribers
  );
}

/** The errors of a request that were published. A registered symbol, shared with Express's router in the same process. */
const seenErrors: unique symbol = Symbol.for('router.tracing.publishedErrors') as never;

interface Remembering {
  [seenErrors]?: Set<unknown>;
}

/** `'route'` and `'router'` are signals, not errors. */
function isSignal(error: unknown): boolean {
  return error === 'route' || error === 'router';
}

/**
 * Remembers that this error was published at its origin, so that no outer router publishes it again.
 *
 * @returns true if it is new
 */
export function rememberError(req: RoutedRequest & Remembering, error: unknown): boolean {
  if (!error || isSignal(error)) return false;
  const seen = (req[seenErrors] ??= new Set());
  if (seen.has(error)) return false;
  seen.add(error);
  return true;
}

/**
 * The `next` of a traced handler: it publishes a new error once, at its origin.
 *
 * An error that an error handler received did not originate there. After the handler recovers or passes on another error,
 * the same object counts as new.
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

/** Sets the thrown error on the context if it has none. A signal that is thrown synchronously ends like `next('route')`. */
export function noteThrown(context: TraceContext, thrown: unknown, synchronous: boolean): void {
  if (isSignal(thrown)) {
    if (synchronous) context.result = undefined;
  } else if (!('error' in context)) {
    context.error = thrown;
  }
}

/**
 * The synchronous end. For a handler that is still running, an error known by now is hidden: at `end` it would look
 * settled.
 */
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

/** The asynchronous end, with the stores that are bound to `asyncStart`. */
export function publishAsyncEnd(context: TraceContext): void {
  asyncStart.runStores(context, () => asyncEnd.publish(context));
}
