import { channel } from 'node:diagnostics_channel';
import type http = require('node:http');
import { define } from '../core/define-own.js';
import { NodeResponse } from './classes.js';

/** node publishes each response that its constructor makes, on Node 22.12 and later. */
const created = channel('http.server.response.created');

/**
 * A response that node's constructor made, for a look at its state. It is not published: subscribers would read the socket of a request that
 * never came, and an error of a subscriber ends the process.
 */
export function sampleResponse(): http.ServerResponse {
  const request = { method: 'GET', headers: {}, httpVersionMajor: 1, httpVersionMinor: 1 } as http.IncomingMessage;
  if (!created.hasSubscribers) return new NodeResponse(request);
  // Hides the getter of the channel's prototype.
  define(created, 'hasSubscribers', { value: false, configurable: true });
  try {
    return new NodeResponse(request);
  } finally {
    Reflect.deleteProperty(created, 'hasSubscribers');
  }
}

/** State that node's constructor adds while a `PerformanceObserver` or a trace times responses: the names of its property and its symbol. */
export const TIMING_STATE = { property: '_traceEventId', symbol: 'ServerResponseStatistics' } as const;
