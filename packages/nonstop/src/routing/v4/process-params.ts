import { ParamWalk, type CallParam, type ParamCalls, type ParamHandles } from '../param-walk.js';
import type { Next, Params, RoutedRequest, RoutedResponse } from '../shapes.js';
import type { Layer } from './layer.js';

/** `router.process_params`, which instrumentation wraps: it is called for each layer then. */
export type ProcessParams = (
  this: { readonly params: ParamHandles },
  ...args: [layer: Layer, called: ParamCalls, req: RoutedRequest, res: RoutedResponse, done: Next]
) => void;

/** Runs the callbacks for the params of a layer that has matched, and then `done`. */
// oxlint-disable-next-line max-params -- those who wrap it know these five
export const processParams: ProcessParams = function process_params(layer, called, req, res, done) {
  const { keys } = layer;
  if (!keys || keys.length === 0) return done();
  const site = {
    req: req as RoutedRequest & { params: Params },
    res,
    router: this,
    layer,
    // Groups without a name have a number, which callbacks are given as it is.
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
