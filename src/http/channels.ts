import { channel } from 'node:diagnostics_channel';
import type { EngineRequest, EngineResponse, MessageHost } from './messages.js';

const requestStart = channel('http.server.request.start');
const responseCreated = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');

/**
 * Somebody wants to hear of each response as node's constructor makes it (Node 22.12 and later). The engine's responses are
 * then made by that constructor from the start, so that it tells of each once.
 */
export function anybodyHearsCreation(): boolean {
  return responseCreated.hasSubscribers;
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
