import { debugLog } from '../../core/debug-log.js';
import type { RoutingDialect } from '../dialect.js';
import { adoptingBy } from '../foreign-layer.js';
import type { RoutedResponse } from '../shapes.js';
import { hasParamHandles, type ParamHandles } from '../param-walk.js';
import { Layer, plainHandleRequest, plainMatch, quickOf } from './layer.js';
import { processParams, type ProcessParams } from './process-params.js';

const SLASH = 0x2f;
const DOT = 0x2e;

/** A router of Express 4, whose method `process_params` may be replaced. */
interface ParamRouter {
  readonly params: ParamHandles;
  readonly process_params: ProcessParams;
}

/** A response with Express's methods, which the automatic response to OPTIONS uses. */
interface SendingResponse extends RoutedResponse {
  set(field: string, value: string): unknown;
  send(body: string): unknown;
}

/** Whether the layers' prototype and the router's `process_params` are unchanged. Each layer has to be checked as well. */
export function isPlainlyWalked(router: object): boolean {
  return (
    Layer.prototype.handle_request === plainHandleRequest &&
    Layer.prototype.match === plainMatch &&
    (router as ParamRouter).process_params === processParams
  );
}

/** Routing as Express 4 has it: its folder `lib/router`. */
export const express4: RoutingDialect = {
  log: debugLog('express:router'),

  adopt: adoptingBy({
    request: 'handle_request',
    error: 'handle_error',
    serves: '_handles_method',
    allowed: '_options',
  }),

  matchesPlainly: () => Layer.prototype.match === plainMatch,

  patternOf: (layer) => (layer instanceof Layer ? quickOf(layer) : undefined),

  endsMount(path, end) {
    const c = path.charCodeAt(end);
    return c === SLASH || c === DOT;
  },

  withoutAddedSlash: (url) => url.slice(1),

  noteError: () => undefined,

  /** Inherited ones count too, and symbols do not. */
  copyParams(to, from) {
    for (const name in from) to[name] = from[name];
    return to;
  },

  hasParamCallbacks(router, keys) {
    if (keys.length !== 0 && hasParamHandles(router.params, keys)) return true;
    return (router as ParamRouter).process_params !== processParams;
  },

  runParamCallbacks({ router, layer, calls, req, res, done }) {
    (router as ParamRouter).process_params(layer as Layer, calls, req, res, done);
  },

  answerOptions(res, methods, next) {
    const allow = [...new Set(methods)].join(',');
    try {
      const response = res as SendingResponse;
      response.set('Allow', allow);
      response.send(allow);
    } catch (error) {
      next(error);
    }
  },
};
