import type http2 = require('node:http2');
import { nodesProcess } from '../core/clock.js';
import { NodeRequest, NodeResponse } from '../node/classes.js';
import { leadNodesMethods } from '../node/http2-kept-methods.js';
import { removeMessageListeners, trailersOfHttp2Response } from '../node/http2-servers.js';
import { destroyAtEnd, isEnded } from '../node/stream-state.js';
import { mendMessage } from './dispatch.js';
import type { Http2Request, Http2Response } from './messages.js';
import { startFlow } from './request-body.js';
import { onStreamClose } from './response-end.js';
import { http2RequestClass, requestPrototype } from './request.js';
import { http2ResponseClass, responsePrototype } from './response.js';
import { sendTrailersLast } from './response-head.js';
import { kReading, Reading } from './symbols.js';
import { twinOf } from './twins.js';

const Request = http2RequestClass(requestPrototype);
const Response = http2ResponseClass(responsePrototype);

interface Emitting {
  _events: object;
  _eventsCount: number;
  _maxListeners: number | undefined;
}

/**
 * Turns a request and a response of node's into ones of this package, in place, so that references to them stay valid.
 * The first messages of a server that other code created are node's. Fields set on the response are kept.
 */
export function takeMessages(nodeReq: http2.Http2ServerRequest, nodeRes: http2.Http2ServerResponse): void {
  const { stream, headers, rawHeaders, aborted } = nodeReq;
  const { statusCode, sendDate, headersSent, writableEnded } = nodeRes;
  const fields = nodeRes.getHeaders();
  const trailers = trailersOfHttp2Response(nodeRes);
  const reading = removeMessageListeners(stream);
  const req = become(nodeReq, twinOf(NodeRequest.prototype), Request, [stream, headers, rawHeaders]) as Http2Request;
  const res = become(nodeRes, twinOf(NodeResponse.prototype), Response, [req]) as Http2Response;
  mendMessage(req);
  req[kReading] = Reading.Open;
  req.aborted = aborted;
  req.complete ||= isEnded(req) && !aborted;
  if (reading) startFlow(req);
  if (stream.endAfterHeaders) destroyAtEnd(req);
  // It has told so already.
  if (stream.destroyed) nodesProcess.nextTick(() => onStreamClose.call(stream));
  leadNodesMethods(res, responsePrototype as never);
  Object.assign(res, { statusCode, sendDate, finished: writableEnded });
  const methods = responsePrototype as Http2Response;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && name[0] !== ':') methods.setHeader.call(res, name, value);
  }
  methods.addTrailers.call(res, trailers);
  const { timeout } = stream as { timeout?: number };
  // A callback of node's setTimeout() listens to the stream.
  if (timeout && stream.listenerCount('timeout') === 0) methods.setTimeout.call(res, timeout);
  if (!headersSent) return;
  res._header = `HTTP/2.0 ${statusCode}\r\n\r\n`;
  // node's waits for trailers in front of each end.
  sendTrailersLast(res);
}

function become(message: object, prototype: object, initialize: NewableFunction, given: unknown[]): object {
  const { _events, _eventsCount, _maxListeners } = message as Emitting;
  Object.setPrototypeOf(message, prototype);
  Reflect.apply(initialize, message, given);
  return Object.assign(message, { _events, _eventsCount, _maxListeners });
}
