import type { TracedLayer } from '../types/tracing.js';
import { layers, routes } from './channels.js';
import { mountedPattern, routePattern } from './route-pattern.js';
import {
  kHandleError,
  kHandleRequest,
  type Handle,
  type Next,
  type RoutedRequest,
  type RoutedResponse,
  type WalkedLayer,
} from './shapes.js';
import { publishError, trace } from './trace.js';

interface Handling extends WalkedLayer {
  readonly handle: Handle;
}

interface Call {
  readonly layer: WalkedLayer;
  readonly req: RoutedRequest;
  readonly res: RoutedResponse;
  /** The error, if error handlers are looked for. */
  readonly error: unknown;
}

/** Calls a layer, and publishes the call to `tracing:nonstop.layer:*` if the layer has a handler for it. */
export function traceLayer({ layer, req, res, error }: Call, next: Next): void {
  const call = (onward: Next): void => {
    if (error) layer[kHandleError](error, req, res, onward);
    else layer[kHandleRequest](req, res, onward);
  };
  const { handle } = layer as Handling;
  if ((handle.length === 4) !== Boolean(error) || (!error && handle.length > 3)) return call(next);
  const message = {
    ...messages(req, res),
    type: typeOf(layer as Handling, error),
    name: layer.name,
    path: mountedPattern(req) || '/',
  };
  const run = (onward: Next): void =>
    call((given) => {
      publishError(req, res, given);
      onward(given);
    });
  trace(layers, message, { next, run });
}

/** Enters a route, and publishes that to `tracing:nonstop.route:*`. */
export function traceRoute(layer: WalkedLayer, req: RoutedRequest, res: RoutedResponse, next: Next): void {
  const message = { ...messages(req, res), route: routePattern(req) };
  trace(routes, message, { next, run: (onward) => layer[kHandleRequest](req, res, onward) });
}

function messages(req: RoutedRequest, res: RoutedResponse): Pick<TracedLayer, 'req' | 'res'> {
  return { req, res } as object as Pick<TracedLayer, 'req' | 'res'>;
}

function typeOf(layer: Handling, error: unknown): TracedLayer['type'] {
  if (error) return 'error';
  if (Object.hasOwn(layer, 'method')) return 'handler';
  return 'stack' in layer.handle || layer.name === 'mounted_app' ? 'router' : 'middleware';
}
