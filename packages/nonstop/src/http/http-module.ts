import http = require('node:http');
import { IncomingMessage } from './request/class.js';
import { ServerResponse } from './response/class.js';
import { createServer, Server } from './server.js';
import { accelerate, explainAcceleration, isAccelerated } from './server/takeover.js';

const own = { createServer, Server, IncomingMessage, ServerResponse, accelerate, isAccelerated, explainAcceleration };

/** Everything that node's `http` has, with the engine's in the place of its servers and messages. */
export const httpModule: object = Object.defineProperties(
  {},
  {
    // Descriptors, not values: `maxHeaderSize` and `WebSocket` are getters that load something when they are read.
    ...Object.getOwnPropertyDescriptors(http),
    ...Object.getOwnPropertyDescriptors(own),
  },
);
