import { hidden } from '../core/hidden.js';
import type http2 = require('node:http2');
import { NodeRequest, NodeResponse } from '../node/classes.js';
import type { Http2Request, Http2Response } from './messages.js';
import { startFlow } from './request-body.js';
import { http2RequestClass, requestPrototype } from './request.js';
import { http2ResponseClass, responsePrototype } from './response.js';
import { kReading, Reading } from './symbols.js';
import { twinOf } from './twins.js';

type Initializer = (this: object, ...args: unknown[]) => void;

const Request = hidden<Initializer>(http2RequestClass(requestPrototype));
const Response = hidden<Initializer>(http2ResponseClass(responsePrototype));

interface Emitting {
  _events: object;
  _eventsCount: number;
  _maxListeners: number | undefined;
}

/** Listeners of node's own messages on the stream that carries them, by name. */
const NODES = new Set(
  (
    'onStreamTrailers onStreamEnd onStreamError onStreamAbortedRequest onStreamCloseRequest onStreamTimeout onStreamData ' +
    'onStreamDrain onStreamAbortedResponse onStreamCloseResponse onStreamTrailersReady'
  ).split(' '),
);
const EVENTS = ['trailers', 'end', 'error', 'aborted', 'close', 'timeout', 'data', 'drain', 'wantTrailers'];

/** @returns whether node's request was reading already */
function removeNodes(stream: http2.ServerHttp2Stream): boolean {
  let reading = false;
  for (const event of EVENTS) {
    for (const listener of stream.listeners(event)) {
      if (!NODES.has(listener.name)) continue;
      reading ||= listener.name === 'onStreamData';
      stream.removeListener(event, listener as () => void);
    }
  }
  return reading;
}

/**
 * Makes a request and a response of node's, which is what the first of a server that somebody else has made are, ones of this package, in
 * place: whoever holds them holds the same objects. What was set on the response is kept.
 */
export function takeMessages(nodeReq: http2.Http2ServerRequest, nodeRes: http2.Http2ServerResponse): void {
  const { stream, headers, rawHeaders } = nodeReq;
  const { statusCode, headersSent } = nodeRes;
  const fields = nodeRes.getHeaders();
  const reading = removeNodes(stream);
  const req = become(nodeReq, twinOf(NodeRequest.prototype), Request, [stream, headers, rawHeaders]) as Http2Request;
  const res = become(nodeRes, twinOf(NodeResponse.prototype), Response, [req]) as Http2Response;
  req[kReading] = Reading.Open;
  if (reading) startFlow(req);
  res.statusCode = statusCode;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && name[0] !== ':') res.setHeader(name, value);
  }
  if (headersSent) res._header = `HTTP/2.0 ${statusCode}\r\n\r\n`;
}

function become(message: object, prototype: object, initialize: Initializer, given: unknown[]): object {
  const { _events, _eventsCount, _maxListeners } = message as Emitting;
  Object.setPrototypeOf(message, prototype);
  initialize.apply(message, given);
  return Object.assign(message, { _events, _eventsCount, _maxListeners });
}
