import { debugLog } from '../core/debug-log.js';
import { callParam } from './call-param.js';
import type { RoutingDialect } from './dialect.js';
import { adoptingBy } from './foreign-layer.js';
import { Layer, plainMatch, quickOf } from './layer/layer.js';
import { matchedPattern } from './route-pattern.js';
import { hasParamHandles, ParamWalk, type CallParam } from './param-walk.js';
import type { Next, RoutedResponse } from './shapes.js';
import { traceParam } from './trace-param.js';
import { rememberError, tracing } from './tracing.js';

const SLASH = 0x2f;

/** Routing as Express 5 has it: its package `router`. */
export const express5: RoutingDialect = {
  log: debugLog('router'),

  adopt: adoptingBy({ request: 'handleRequest', error: 'handleError', serves: '_handlesMethod', allowed: '_methods' }),

  matchesPlainly: () => Layer.prototype.match === plainMatch,

  patternOf(layer) {
    // A program may have replaced `match` of this layer, or of a class that extends Layer.
    const plain = layer instanceof Layer && layer.match === plainMatch && !layer.slash;
    return plain ? quickOf(layer) : undefined;
  },

  endsMount: (path, end) => path.charCodeAt(end) === SLASH,

  /** The slash stays if the handler has written its own path, and the mount path does not end in a slash. */
  withoutAddedSlash(url, removed) {
    const same = url === '/' || url.startsWith('/?');
    const doubled = removed.endsWith('/') && url.charCodeAt(0) === SLASH;
    return same || doubled ? url.slice(1) : url;
  },

  noteError: rememberError,

  copyParams: (to, from) => Object.assign(to, from),

  hasParamCallbacks: ({ params }, keys) => keys.length !== 0 && hasParamHandles(params, keys),

  runParamCallbacks(site) {
    new ParamWalk(site, callOrTrace).advance();
  },

  answerOptions,
};

const callOrTrace: CallParam = (site, { handle, name, value, next }) => {
  const { req, res, layer } = site;
  if (tracing()) {
    const context = { req, res, layer: layer as Layer, handler: handle, route: matchedPattern(req), param: name };
    traceParam(context, handle, value, next);
  } else {
    callParam({ req, res, handle, value, name, next });
  }
};

function answerOptions(res: RoutedResponse, methods: readonly string[], next: Next): void {
  const allow = [...new Set(methods)].sort().join(', ');
  try {
    res.setHeader('Allow', allow);
    res.setHeader('Content-Length', Buffer.byteLength(allow));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(allow);
  } catch (error) {
    next(error);
  }
}
