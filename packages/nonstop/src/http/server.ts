import type http = require('node:http');
import { NodeHttpServer } from '../node/classes.js';
import { accelerate } from './server/takeover.js';

type Options = http.ServerOptions | http.RequestListener;

interface ServerConstructor {
  new (options?: Options, listener?: http.RequestListener): http.Server;
  (options?: Options, listener?: http.RequestListener): http.Server;
  readonly prototype: http.Server;
}

/** `http.Server` whose connections the engine serves from the start. As node's, it can be called without `new`. */
export const Server = function Server(this: unknown, options?: Options, listener?: http.RequestListener): http.Server {
  const server = Reflect.construct(NodeHttpServer, [options, listener], new.target ?? Server) as http.Server;
  accelerate(server);
  return server;
} as unknown as ServerConstructor;
Object.setPrototypeOf(Server, NodeHttpServer);
Object.setPrototypeOf(Server.prototype, NodeHttpServer.prototype);

/** As `http.createServer()`, with the engine inside. */
export function createServer(options?: Options, listener?: http.RequestListener): http.Server {
  return new Server(options, listener);
}
