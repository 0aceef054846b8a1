import http = require('node:http');
import { kExpress } from './dialect.js';
import { takeOver } from './engine-choice.js';
import type { Application } from './shape.js';

/**
 * Makes a server for the application and lets it listen.
 *
 * @param args those of `net.Server.listen`; a callback at the end is called when it listens, of Express 5 also with the error
 */
export function listen(this: Application, ...args: unknown[]): http.Server {
  const server = http.createServer(this);
  takeOver(server, this);
  const callback = args.at(-1);
  if (typeof callback === 'function' && this[kExpress].listensForErrors) {
    const done = once(callback as Callback);
    args[args.length - 1] = done;
    server.once('error', done);
  }
  return server.listen(...(args as []));
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

function once(callback: Callback): Callback {
  let called = false;
  return function (...args) {
    if (called) return undefined;
    called = true;
    return callback.apply(this, args);
  };
}
