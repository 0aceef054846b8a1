import { EventEmitter } from 'node:events';
import type http = require('node:http');
import { NodeResponse } from './classes.js';
import { symbolOf } from './symbols.js';

/** Whether `node:domain` is loaded: an emitter belongs to the domain in which node's constructor made it. */
export function areDomainsUsed(): boolean {
  return (EventEmitter as { readonly usingDomains?: boolean }).usingDomains === true;
}

/**
 * Whether node times its responses, for a `PerformanceObserver` or a trace. Only node's constructor knows, so one response is made and
 * looked at.
 */
export function areResponsesTimed(): boolean {
  const request = { method: 'GET', headers: {}, httpVersionMajor: 1, httpVersionMinor: 1 } as http.IncomingMessage;
  const sample = new NodeResponse(request);
  return Object.hasOwn(sample, '_traceEventId') || symbolOf(sample, 'ServerResponseStatistics') !== undefined;
}
