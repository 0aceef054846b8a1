import { EventEmitter } from 'node:events';
import { sampleResponse, TIMING_STATE } from './sample-response.js';
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
  const sample = sampleResponse();
  return Object.hasOwn(sample, TIMING_STATE.property) || symbolOf(sample, TIMING_STATE.symbol) !== undefined;
}
