import { ParamWalk, type CallParam, type ParamCalls, type ParamHandles } from '../param-walk.js';
import type { Next, Params, RoutedRequest, RoutedResponse } from '../shapes.js';
import type { Layer } from './layer.js';

/** `router.process_params`. Instrumentation wraps it; a wrapped one is called for each layer. */
export type ProcessParams = (
  this: { readonly params: ParamHandles },
  ...args: [layer: Layer, called: ParamCalls, req: RoutedRequest, res: RoutedResponse, done: Next]
) => void;

/** Runs the param callbacks of a layer that matched, then `done`. */
// oxlint-disable-next-line max-params -- Express's signature, which instrumentation wraps
export const processParams: ProcessParams = function process_params(layer, called, req, res, done) {
  const { keys } = layer;
  if (!keys || keys.length === 0) return done();
  const site = {
    req: req as RoutedRequest & { params: Params },
    res,
    router: this,
    layer,
    // A group without a name has a number, which callbacks get as a number.
    keys: keys.map(({ name }) => name as string),
    calls: called,
    done,
  };
  return new ParamWalk(site, call).advance();
};

const call: CallParam = ({ req, res }, { handle, name, value, next }) => {
  try {
    handle(req, res, next, value, name);
  } catch (thrown) {
    next(thrown);
  }
};
