import http = require('node:http');
import type http2 = require('node:http2');
import { kExpress, type Application } from './shape.js';
import { takeOver } from './engine-choice.js';
import { loadHttp2 } from './http2.js';

/**
 * Makes a server for the application and lets it listen.
 *
 * @param args those of `net.Server.listen`. With `http2: true` among the options it is a server of `node:http2`: with TLS, and HTTP/1.1 beside
 *   HTTP/2, where there is a certificate among them, or else in clear text. A callback at the end is called when it listens, of Express 5 also with the error
 */
export function listen(this: Application, ...args: unknown[]): http.Server {
  const server = serverFor(this, args[0]);
  takeOver(server, this);
  const callback = args.at(-1);
  if (typeof callback === 'function' && this[kExpress].listensForErrors) {
    const done = once(callback as Callback);
    args[args.length - 1] = done;
    server.once('error', done);
  }
  return server.listen(...(args as []));
}

/** What `app.listen()` takes beside what `net.Server.listen` does. */
interface ListenOptions extends http2.SecureServerOptions {
  readonly http2?: unknown;
}

function serverFor(app: Application, options: unknown): http.Server {
  const given = options as ListenOptions | undefined | null;
  if (typeof given !== 'object' || given === null || given.http2 !== true) return http.createServer(app);
  const { createServer, createSecureServer } = loadHttp2().nodes;
  const secure = [given.key, given.cert, given.pfx, given.SNICallback].some((value) => value !== undefined);
  const listener = app as unknown as (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void;
  const server = secure
    ? createSecureServer({ allowHTTP1: true, ...given }, listener)
    : createServer(given as http2.ServerOptions, listener);
  return server as unknown as http.Server;
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
