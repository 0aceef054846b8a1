import { channel } from 'node:diagnostics_channel';
import { areRequestsInstrumented, areResponsesInstrumented } from '../../node/genuine-methods.js';
import { areDomainsUsed, areResponsesTimed } from '../../node/nodes-observers.js';
import { needsStore } from '../../node/subscribers.js';
import { kRequest, type EngineRequest, type EngineResponse, type MessageHost } from '../message.js';

/** node's channels; the messages are those that node publishes. */
const requestStart = channel('http.server.request.start');
const responseCreated = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');

let timed = false;

/**
 * Whether each response is observed from its start: by a subscriber of node's channel (Node 22.12 and later), a
 * `PerformanceObserver` for `'http'`, a trace, a domain, or replaced methods of node. node's constructor and code then
 * make and run the engine's responses.
 */
export function areResponsesObserved(): boolean {
  return timed || responseCreated.hasSubscribers || areRequestsObserved() || areResponsesInstrumented();
}

/** Whether node's code runs the requests, too: for a domain, or replaced methods. */
export function areRequestsObserved(): boolean {
  return areDomainsUsed() || areRequestsInstrumented();
}

/**
 * Finds out whether node times its responses. Only node's constructor knows, so one response is made and checked, once a
 * tick; for each request it would cost more than the request's own objects.
 */
export function lookForTimers(): void {
  timed = areResponsesTimed();
}

/** Whether `http.server.request.start` has subscribers, which hear of a request before its handlers do. */
export function isStartObserved(): boolean {
  return requestStart.hasSubscribers;
}

/** Whether somebody hears of the end of each response, in the store and with the socket that node's have then. */
export function isFinishObserved(): boolean {
  return needsStore(responseFinish);
}

/** A request is about to be passed to handlers. */
export function publishStart(host: MessageHost, request: EngineRequest, response: EngineResponse): void {
  const { socket, server } = host;
  requestStart.publish({ request, response, socket, server });
}

/** A response is sent. @returns whether somebody heard of it, and may have added listeners */
export function publishFinish(host: MessageHost, response: EngineResponse): boolean {
  if (!responseFinish.hasSubscribers) return false;
  const { socket, server } = host;
  responseFinish.publish({ request: response[kRequest], response, socket, server });
  return true;
}
