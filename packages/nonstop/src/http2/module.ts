import http2 = require('node:http2');
import type { Http2Server } from '../node/http2-servers.js';
import { accelerateHttp2 } from './takeover.js';

function accelerated<S extends Http2Server>(server: S): S {
  accelerateHttp2(server);
  return server;
}

const own = {
  /** As `http2.createServer()`, with messages of this package. */
  createServer(options?: http2.ServerOptions, listener?: (...args: unknown[]) => void): http2.Http2Server {
    return accelerated(http2.createServer(options as http2.ServerOptions, listener as never));
  },
  /**
   * As `http2.createSecureServer()`, with messages of this package, and with the engine for connections of HTTP/1.1, if
   * it allows them.
   */
  createSecureServer(
    options: http2.SecureServerOptions,
    listener?: (...args: unknown[]) => void,
  ): http2.Http2SecureServer {
    return accelerated(http2.createSecureServer(options, listener as never));
  },
};

/** Everything of node's `http2`, with servers of this package instead of node's. */
export const http2Module: object = Object.defineProperties(
  {},
  { ...Object.getOwnPropertyDescriptors(http2), ...Object.getOwnPropertyDescriptors(own) },
);
