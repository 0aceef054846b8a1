import http = require('node:http');
import { accelerate } from './takeover.js';

export { IncomingMessage } from './incoming.js';
export { ServerResponse } from './response.js';
export { accelerate, isSettled, leaveToNode, type Prototypes } from './takeover.js';

/** `http.Server` whose connections the engine serves from the start. */
export class Server extends http.Server {
  constructor(options?: http.ServerOptions | http.RequestListener, listener?: http.RequestListener) {
    super(options as http.ServerOptions, listener);
    accelerate(this);
  }
}

/** As `http.createServer()`, with the engine inside. */
export function createServer(
  options?: http.ServerOptions | http.RequestListener,
  listener?: http.RequestListener,
): Server {
  return new Server(options, listener);
}
