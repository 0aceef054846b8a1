import { channel } from 'node:diagnostics_channel';
import http = require('node:http');
import type { EngineRequest, EngineResponse, MessageHost } from './messages.js';

const requestStart = channel('http.server.request.start');
const responseCreated = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');

let timed = false;

/**
 * Somebody wants to hear of each response as node's constructor makes it: a subscriber of its channel (Node 22.12 and later),
 * a `PerformanceObserver` of `'http'`, or a trace. The engine's responses are then made by that constructor from the start.
 */
export function anybodyHearsCreation(): boolean {
  return timed || responseCreated.hasSubscribers;
}

/**
 * Finds out whether node times its responses. It tells that to nobody but its own constructor, so one is made and looked at,
 * once a tick: at each request it would cost more than the request's own objects.
 */
export function lookForTimers(): void {
  if (responseCreated.hasSubscribers) return;
  const sample = new http.ServerResponse({
    method: 'GET',
    headers: {},
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  } as never);
  timed =
    Object.hasOwn(sample, '_traceEventId') ||
    Object.getOwnPropertySymbols(sample).some(({ description }) => description === 'ServerResponseStatistics');
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
