import { channel } from 'node:diagnostics_channel';
import http = require('node:http');
import { NodeResponse } from './node-http.js';
import type { EngineRequest, EngineResponse, MessageHost } from './messages.js';

const requestStart = channel('http.server.request.start');
const responseCreated = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');

let timed = false;

type Methods = Record<string, unknown>;

/** node's methods that the engine has ways of its own for. */
const used = http.ServerResponse.prototype as unknown as Methods;
// Most of them a response has from this prototype, so that one which was put in front before this was loaded is seen as well.
const inherited = http.OutgoingMessage.prototype as unknown as Methods;
const genuine = {
  end: inherited.end,
  write: inherited.write,
  writeHead: used.writeHead,
  flushHeaders: inherited.flushHeaders,
  setHeader: inherited.setHeader,
  getHeader: inherited.getHeader,
  hasHeader: inherited.hasHeader,
  removeHeader: inherited.removeHeader,
  _implicitHeader: used._implicitHeader,
};

/** Somebody, such as an agent that watches a process, has put methods of his own in front of node's. */
function isInstrumented(): boolean {
  return (
    used.end !== genuine.end ||
    used.writeHead !== genuine.writeHead ||
    used.write !== genuine.write ||
    used.setHeader !== genuine.setHeader ||
    used.removeHeader !== genuine.removeHeader ||
    used.getHeader !== genuine.getHeader ||
    used.hasHeader !== genuine.hasHeader ||
    used.flushHeaders !== genuine.flushHeaders ||
    used._implicitHeader !== genuine._implicitHeader
  );
}

/**
 * Somebody wants to hear of each response from the start: a subscriber of node's channel (Node 22.12 and later), a
 * `PerformanceObserver` of `'http'`, a trace, or who has instrumented node's methods. The engine's responses are then made by node's
 * constructor, and node's code runs them.
 */
export function anybodyHearsAll(): boolean {
  return timed || responseCreated.hasSubscribers || isInstrumented();
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
