import http2 = require('node:http2');

/*
 * node's own classes. This file loads `node:http2`, and with it all of this folder stays away from a program until it asks for HTTP/2.
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

/** Whether it is one with TLS. */
export function isSecureHttp2Server(server: unknown): server is http2.Http2SecureServer {
  if (typeof server !== 'object' || server === null || !('setSecureContext' in server)) return false;
  SecureServer ??= http2.createSecureServer({}).constructor as new () => http2.Http2SecureServer;
  return server instanceof SecureServer;
}
