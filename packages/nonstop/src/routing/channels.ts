import dc = require('node:diagnostics_channel');
import type { TracedLayer, TracedRequest, TracedRoute } from '../types/tracing.js';

/** `tracing:nonstop.request:*`: one trace for each request in an application. */
export const requests = dc.tracingChannel<TracedRequest, TracedRequest>('nonstop.request');
/** `tracing:nonstop.route:*`: one for each route that a request enters. */
export const routes = dc.tracingChannel<TracedRoute, TracedRoute>('nonstop.route');
/** `tracing:nonstop.layer:*`: one for each call of a handler. */
export const layers = dc.tracingChannel<TracedLayer, TracedLayer>('nonstop.layer');
/** `nonstop.error`: each error of a request once, at its origin. */
export const errors = dc.channel('nonstop.error');

/** The channels of handlers are looked at once for each request: for each handler it would cost 2 ns. */
export const watch = { handlers: false };

const {
  start: requestsStart,
  end: requestsEnd,
  asyncStart: requestsAsyncStart,
  asyncEnd: requestsAsyncEnd,
  error: requestsError,
} = requests;
const {
  start: routesStart,
  end: routesEnd,
  asyncStart: routesAsyncStart,
  asyncEnd: routesAsyncEnd,
  error: routesError,
} = routes;
const {
  start: layersStart,
  end: layersEnd,
  asyncStart: layersAsyncStart,
  asyncEnd: layersAsyncEnd,
  error: layersError,
} = layers;

/**
 * Looks for subscribers, and stores the result for the handlers of the request. Sixteen getters that V8 inlines: 1 ns (Node 20 to 26).
 *
 * @returns whether the request has to be traced
 */
export function lookForListeners(): boolean {
  watch.handlers =
    layersStart.hasSubscribers ||
    layersEnd.hasSubscribers ||
    layersAsyncStart.hasSubscribers ||
    layersAsyncEnd.hasSubscribers ||
    layersError.hasSubscribers ||
    routesStart.hasSubscribers ||
    routesEnd.hasSubscribers ||
    routesAsyncStart.hasSubscribers ||
    routesAsyncEnd.hasSubscribers ||
    routesError.hasSubscribers ||
    errors.hasSubscribers;
  return (
    watch.handlers ||
    requestsStart.hasSubscribers ||
    requestsEnd.hasSubscribers ||
    requestsAsyncStart.hasSubscribers ||
    requestsAsyncEnd.hasSubscribers ||
    requestsError.hasSubscribers
  );
}
