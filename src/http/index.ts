import http = require('node:http');
import { accelerate } from './takeover.js';

export { IncomingMessage } from './incoming.js';
export { ServerResponse } from './response.js';
export { accelerate, isSettled, leaveToNode, type Prototypes } from './takeover.js';

type Options = http.ServerOptions | http.RequestListener;

interface ServerConstructor {
  new (options?: Options, listener?: http.RequestListener): http.Server;
  (options?: Options, listener?: http.RequestListener): http.Server;
  readonly prototype: http.Server;
}

/** `http.Server` whose connections the engine serves from the start. As node's, it can be called without `new`. */
export const Server = function Server(this: unknown, options?: Options, listener?: http.RequestListener): http.Server {
  const server = Reflect.construct(http.Server, [options, listener], new.target ?? Server) as http.Server;
  accelerate(server);
  return server;
} as unknown as ServerConstructor;
Object.setPrototypeOf(Server, http.Server);
Object.setPrototypeOf(Server.prototype, http.Server.prototype);

export type Server = http.Server;

/** As `http.createServer()`, with the engine inside. */
export function createServer(options?: Options, listener?: http.RequestListener): http.Server {
  return new Server(options, listener);
}
