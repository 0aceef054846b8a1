import http = require('node:http');
import { accelerate, createServer, IncomingMessage, Server, ServerResponse } from './index.js';

/** Everything that node's `http` has, with the engine's in the place of its servers and messages. */
export const httpModule: object = Object.defineProperties(
  {},
  {
    // Descriptors, not values: `maxHeaderSize` and `WebSocket` are getters that load something when they are read.
    ...Object.getOwnPropertyDescriptors(http),
    ...Object.getOwnPropertyDescriptors({ createServer, Server, IncomingMessage, ServerResponse, accelerate }),
  },
);
