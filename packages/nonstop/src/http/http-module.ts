import { NodeHttpServer } from '../node/classes.js';
import { putClass } from '../node/http-servers.js';
import { acceptParents } from './callable.js';
import http = require('node:http');
import { IncomingMessage } from './request/class.js';
import { ServerResponse } from './response/class.js';
import { accelerate, explainAcceleration, isAccelerated } from './server/takeover.js';

type Options = http.ServerOptions | http.RequestListener;

interface ServerConstructor {
  new (options?: Options, listener?: http.RequestListener): http.Server;
  (options?: Options, listener?: http.RequestListener): http.Server;
  readonly prototype: http.Server;
}

/** An `http.Server` that the engine serves from the start. Like node's, it can be called without `new`, also for an object that inherits from it. */
const Server = function Server(this: unknown, options?: Options, listener?: http.RequestListener): unknown {
  if (new.target === undefined && this instanceof Server) {
    Reflect.apply(NodeHttpServer, this, [options, listener]);
    return serve(this as http.Server);
  }
  const server = Reflect.construct(NodeHttpServer, [options, listener], new.target ?? Server) as http.Server;
  serve(server);
  return server;
} as ServerConstructor;
Object.setPrototypeOf(Server, NodeHttpServer);
Object.setPrototypeOf(Server.prototype, NodeHttpServer.prototype);
acceptParents(Server, NodeHttpServer);

/** Where node serves it, such as with `NONSTOP_ENGINE=node`, a server makes messages of this module too: a program may have added methods to them. */
function serve(server: http.Server): undefined {
  putClass(server, 'IncomingMessage', IncomingMessage);
  putClass(server, 'ServerResponse', ServerResponse);
  accelerate(server);
}

/** Like `http.createServer()`, but served by the engine. */
export function createServer(options?: Options, listener?: http.RequestListener): http.Server {
  return new Server(options, listener);
}

const own = { createServer, Server, IncomingMessage, ServerResponse, accelerate, isAccelerated, explainAcceleration };

/** All members of node's `http`, with the engine's servers and messages. */
export const httpModule: object = Object.defineProperties(
  {},
  {
    // Descriptors, not values: the getters of `maxHeaderSize` and `WebSocket` load modules when read.
    ...Object.getOwnPropertyDescriptors(http),
    ...Object.getOwnPropertyDescriptors(own),
  },
);
