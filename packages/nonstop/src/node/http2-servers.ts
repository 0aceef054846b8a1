import http2 = require('node:http2');
import { valueUnder } from './symbols.js';

/*
 * node's own classes. This file loads `node:http2`, so it is imported only for `http2/`, which is loaded when a program asks for HTTP/2.
 */
export const NodeHttp2Request = http2.Http2ServerRequest;
export const NodeHttp2Response = http2.Http2ServerResponse;

/** A server of `node:http2`, with the members that both of its classes have. */
export type Http2Server = http2.Http2Server | http2.Http2SecureServer;

// The classes have no names in the module: each is found on a server of its kind, which never listens.
const PlainServer = http2.createServer().constructor as new () => http2.Http2Server;
let SecureServer: (new () => http2.Http2SecureServer) | undefined;

/** Whether it is a server of `node:http2`, with or without TLS. */
export function isHttp2Server(server: unknown): server is Http2Server {
  return server instanceof PlainServer || isSecureHttp2Server(server);
}

export function isSecureHttp2Server(server: unknown): server is http2.Http2SecureServer {
  if (typeof server !== 'object' || server === null || !('setSecureContext' in server)) return false;
  SecureServer ??= http2.createSecureServer({}).constructor as new () => http2.Http2SecureServer;
  return server instanceof SecureServer;
}

/** The options that a server was made with; node keeps them under a symbol. Empty if it does not. */
export function optionsOfHttp2Server(server: object): Readonly<Record<string, unknown>> {
  return (valueUnder(server, 'options') as Record<string, unknown> | undefined) ?? {};
}

/** The trailers of a response of node's, which node keeps under a symbol. Empty if it does not. */
export function trailersOfHttp2Response(response: object): NodeJS.Dict<string> {
  return (valueUnder(response, 'trailers') as NodeJS.Dict<string> | undefined) ?? {};
}

type Listener = (...args: unknown[]) => void;

/** node's listener for streams, which a server has from its first listener for requests on. Undefined if there is none. */
export function streamListenerOf(server: Http2Server): Listener | undefined {
  return listenerNamed(server, 'stream', 'bound onServerStream');
}

/** node's listener for connections that did not choose HTTP/2. Undefined if there is none. */
export function secureListenerOf(server: http2.Http2SecureServer): Listener | undefined {
  return listenerNamed(server, 'secureConnection', 'connectionListener');
}

function listenerNamed(server: Http2Server, event: string, wanted: string): Listener | undefined {
  return server.listeners(event).find(({ name }) => name === wanted) as Listener | undefined;
}

/** Listeners of node's own messages on the stream that carries them, by name. */
const OF_MESSAGES = new Set(
  (
    'onStreamTrailers onStreamEnd onStreamError onStreamAbortedRequest onStreamCloseRequest onStreamTimeout onStreamTimeoutRequest ' +
    'onStreamTimeoutResponse onStreamData ' +
    'onStreamDrain onStreamAbortedResponse onStreamCloseResponse onStreamTrailersReady'
  ).split(' '),
);
const EVENTS = ['trailers', 'end', 'error', 'aborted', 'close', 'timeout', 'data', 'drain', 'wantTrailers'];

/**
 * Takes the listeners of node's request and response off their stream.
 *
 * @returns whether node's request was reading already
 */
export function removeMessageListeners(stream: http2.ServerHttp2Stream): boolean {
  let reading = false;
  for (const event of EVENTS) {
    for (const listener of stream.listeners(event)) {
      if (!OF_MESSAGES.has(listener.name)) continue;
      reading ||= listener.name === 'onStreamData';
      stream.removeListener(event, listener as () => void);
    }
  }
  return reading;
}
