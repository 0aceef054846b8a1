import { channel } from 'node:diagnostics_channel';
import type { EngineRequest, EngineResponse, MessageHost } from './messages.js';

const requestStart = channel('http.server.request.start');
const responseCreated = channel('http.server.response.created');
const responseFinish = channel('http.server.response.finish');

/** node's diagnostics channels, told what node tells them. */
export function requestStarted(host: MessageHost, request: EngineRequest, response: EngineResponse): void {
  const { socket, server } = host;
  if (responseCreated.hasSubscribers) responseCreated.publish({ request, response });
  if (requestStart.hasSubscribers) requestStart.publish({ request, response, socket, server });
}

export function responseFinished(host: MessageHost, response: EngineResponse): void {
  if (!responseFinish.hasSubscribers) return;
  const { socket, server } = host;
  responseFinish.publish({ request: response.req, response, socket, server });
}

export function anybodyHearsFinish(): boolean {
  return responseFinish.hasSubscribers;
}
