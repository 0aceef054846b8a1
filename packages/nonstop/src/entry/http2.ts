/// <reference types="node" preserve="true" />
import type http2 = require('node:http2');
import { http2Host } from '../http2/host.js';

/**
 * `nonstop/http2`: node's `http2` module, name for name. Its servers answer an application's requests as those of `nonstop/http` do:
 * `createServer(app)` speaks HTTP/2 in clear text, `createSecureServer({ key, cert, allowHTTP1: true }, app)` HTTP/2 and HTTP/1.1 on one port.
 *
 * @see https://nodejs.org/api/http2.html
 */
const nonstopHttp2 = http2Host.http2Module as typeof http2;

/** The types of node's `http2` that server code uses; they are node's own. */
namespace nonstopHttp2 {
  export type Http2SecureServer = http2.Http2SecureServer;
  export type Http2Server = http2.Http2Server;
  export type Http2ServerRequest = http2.Http2ServerRequest;
  export type Http2ServerResponse = http2.Http2ServerResponse;
  export type IncomingHttpHeaders = http2.IncomingHttpHeaders;
  export type OutgoingHttpHeaders = http2.OutgoingHttpHeaders;
  export type SecureServerOptions = http2.SecureServerOptions;
  export type ServerHttp2Session = http2.ServerHttp2Session;
  export type ServerHttp2Stream = http2.ServerHttp2Stream;
  export type ServerOptions = http2.ServerOptions;
  export type Settings = http2.Settings;
}

export = nonstopHttp2;
