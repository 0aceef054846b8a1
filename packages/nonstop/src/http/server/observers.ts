import { hidden } from '../../core/hidden.js';
import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { areResponsesInstrumented } from '../../node/genuine-methods.js';
import { symbolOf } from '../../node/symbols.js';
import { NodeResponse } from '../../node/classes.js';
import type { EngineRequest, EngineResponse, MessageHost } from '../message.js';

const requestStart = channel('http.server.request.start');
const responseCreated = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');

let timed = false;

/**
 * Somebody wants to hear of each response from the start: a subscriber of node's channel (Node 22.12 and later), a
 * `PerformanceObserver` of `'http'`, a trace, a domain, or who has replaced methods of node's. node's constructor makes the
 * engine's responses then, and node's code runs them.
 */
export function anybodyHearsAll(): boolean {
  return timed || responseCreated.hasSubscribers || areDomainsUsed() || areResponsesInstrumented();
}

/** `node:domain` is loaded: what emits events belongs to the domain in which node's constructor makes it. */
export function areDomainsUsed(): boolean {
  return hidden<{ readonly usingDomains: boolean }>(EventEmitter).usingDomains;
}

/**
 * Finds out whether node times its responses. It tells that to nobody but its own constructor, so one is made and looked at,
 * once a tick: at each request it would cost more than the request's own objects.
 */
export function lookForTimers(): void {
  if (responseCreated.hasSubscribers) return;
  const sample = new NodeResponse({
    method: 'GET',
    headers: {},
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  } as never);
  timed = Object.hasOwn(sample, '_traceEventId') || symbolOf(sample, 'ServerResponseStatistics') !== undefined;
}

/** node's diagnostics channels, told what node tells them. */
export function requestStarted(host: MessageHost, request: EngineRequest, response: EngineResponse): void {
  if (!requestStart.hasSubscribers) return;
  const { socket, server } = host;
  requestStart.publish({ request, response, socket, server });
}

export function responseFinished(host: MessageHost, response: EngineResponse): void {
  if (!responseFinish.hasSubscribers) return;
  const { socket, server } = host;
  responseFinish.publish({ request: response.req, response, socket, server });
}

export function anybodyHearsFinish(): boolean {
  return responseFinish.hasSubscribers;
}
