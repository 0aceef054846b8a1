import { EventEmitter } from 'node:events';
import type traceEvents = require('node:trace_events');
import { onFirstUse } from '../core/lazy.js';
import { sampleResponse, TIMING_STATE } from './sample-response.js';
import { symbolOf } from './symbols.js';

/** Whether `node:domain` is loaded: an emitter belongs to the domain in which node's constructor made it. */
export function areDomainsUsed(): boolean {
  return (EventEmitter as { readonly usingDomains?: boolean }).usingDomains === true;
}

const nodeTraces = onFirstUse(() => require('node:trace_events') as typeof traceEvents);

let traceSeen = false;

/**
 * Whether node times its responses, for a `PerformanceObserver` or a trace. Only node's constructor knows, so a sample response is made and
 * looked at. A trace shows each sample as a request that never ends, so once a trace is seen, `node:trace_events` is asked instead.
 */
export function areResponsesTimed(): boolean {
  if (traceSeen && isTraceOn()) return true;
  const sample = sampleResponse();
  traceSeen = Object.hasOwn(sample, TIMING_STATE.property);
  return traceSeen || symbolOf(sample, TIMING_STATE.symbol) !== undefined;
}

function isTraceOn(): boolean {
  try {
    return nodeTraces().getEnabledCategories()?.split(',').includes('node.http') === true;
  } catch {
    return false; // In a worker this call throws.
  }
}
