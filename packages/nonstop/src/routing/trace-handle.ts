import { matchedPattern } from './route-pattern.js';
import type { ErrorHandle, Next, RequestHandle, RoutedRequest, RoutedResponse } from './shapes.js';
import { deprecate, isThenable, reasonOf } from './thenable.js';
import {
  channel,
  noteThrown,
  publishAsyncEnd,
  publishEnd,
  tracedNext,
  type TraceContext,
  type TracedLayer,
} from './tracing.js';

/** One call of a layer's handler; `incoming` is set for an error handler. */
interface Call {
  readonly req: RoutedRequest;
  readonly res: RoutedResponse;
  readonly layer: TracedLayer;
  readonly incoming?: { readonly error: unknown };
}

/** Calls the handler of a layer and publishes to the channel: start and end, and asyncStart and asyncEnd for a promise. */
export function traceHandle(call: Call, next: Next): void {
  const context = contextOf(call);
  const forward = tracedNext(context, next);
  channel.start.runStores(context, () => {
    let returned: unknown;
    try {
      returned = invoke(call, forward);
      if (isThenable(returned)) warnOfForeignPromise(returned);
      else context.result = returned;
    } catch (thrown) {
      forward(thrown);
      noteThrown(context, thrown, true);
      publishEnd(context, false);
      return;
    }
    const goesOn = isThenable(returned);
    publishEnd(context, goesOn);
    if (goesOn) settle(returned as PromiseLike<unknown>, context, forward);
  });
}

function contextOf({ req, res, layer, incoming }: Call): TraceContext {
  const route = matchedPattern(req);
  const handler = layer.handle;
  return incoming === undefined
    ? { req, res, layer, handler, route }
    : { req, res, incomingError: incoming.error, layer, handler, route, errorHandler: true };
}

function invoke({ req, res, layer, incoming }: Call, next: Next): unknown {
  return incoming === undefined
    ? (layer.handle as RequestHandle)(req, res, next)
    : (layer.handle as ErrorHandle)(incoming.error, req, res, next);
}

function warnOfForeignPromise(returned: PromiseLike<unknown>): void {
  if (returned instanceof Promise) return;
  deprecate()('handlers that are Promise-like are deprecated, use a native Promise instead');
}

/** Ends the trace with the first outcome. Routing gets every outcome, as without a trace. */
function settle(returned: PromiseLike<unknown>, context: TraceContext, forward: Next): void {
  let settled = false;
  const reject = (reason: unknown): void => {
    forward(reason);
    if (settled) return;
    settled = true;
    noteThrown(context, reason, false);
    publishAsyncEnd(context);
  };
  try {
    returned.then(
      (value) => {
        if (settled) return;
        settled = true;
        context.result = value;
        publishAsyncEnd(context);
      },
      (reason: unknown) => reject(reasonOf(reason)),
    );
  } catch (thrown) {
    reject(thrown);
  }
}
