import http = require('node:http');
import type http2 = require('node:http2');
import { http2OptionError } from '../core/errors.js';
import type { Http2Listener } from '../types/application.js';
import { dialectOf, type Application } from './shape.js';
import { takeOver } from './engine-choice.js';
import { loadHttp2 } from './http2.js';

/**
 * Makes a server for the application and starts listening.
 *
 * @param args the arguments of `net.Server.listen`. The option `http2: true` makes a `node:http2` server: with TLS and
 *   HTTP/1.1 on the same port if there is a certificate, else in clear text. A callback at the end is called when the
 *   server listens; in Express 5 also with an error, if it cannot
 * @throws {TypeError} `ERR_NONSTOP_HTTP2` if `http2` is neither true nor false, or its key and certificate cannot serve
 */
export function listen(this: Application, ...args: unknown[]): Http2Listener {
  const server = serverFor(this, args[0]);
  takeOver(server as http.Server, this);
  const callback = args.at(-1);
  if (typeof callback === 'function' && dialectOf(this).listensForErrors) {
    const done = once(callback as Callback);
    args[args.length - 1] = done;
    server.once('error', done);
  }
  return server.listen(...(args as []));
}

/** The options of `app.listen()` besides those of `net.Server.listen`. */
interface ListenOptions extends http2.SecureServerOptions {
  readonly http2?: unknown;
}

function serverFor(app: Application, options: unknown): Http2Listener {
  const given = options as ListenOptions | undefined | null;
  if (typeof given !== 'object' || given === null || !given.http2) return http.createServer(app);
  if (given.http2 !== true) throw http2OptionError(`http2 is '${String(given.http2)}', and must be true or false`);
  const { nodes, keyFits } = loadHttp2();
  const { createServer, createSecureServer } = nodes;
  const { key, cert, pfx, SNICallback } = given;
  const sources = [key, cert, pfx, SNICallback];
  if (sources.every((value) => value === undefined)) return createServer(given as http2.ServerOptions, app);
  if (!sources.some(isGiven)) throw http2OptionError('key, cert and pfx are empty');
  if (!isGiven(pfx) && !isGiven(SNICallback)) {
    if (!isGiven(cert)) throw http2OptionError('there is a key without its certificate (cert)');
    // The key may be in a device (OpenSSL's engines).
    if (!isGiven(key) && given.privateKeyIdentifier === undefined)
      throw http2OptionError('there is a certificate (cert) without its key');
  }
  const server = createSecureServer({ allowHTTP1: true, ...given }, app);
  if (!keyFits(given)) throw http2OptionError('the certificate does not fit its key: they are of different types');
  return server;
}

/** Whether TLS would use an option: it takes null and what is empty for absent. */
const isGiven = (value: unknown): boolean =>
  typeof value === 'function' || (Boolean(value) && (value as { readonly length?: number }).length !== 0);

type Callback = (this: unknown, ...args: unknown[]) => unknown;

function once(callback: Callback): Callback {
  let called = false;
  return function (...args) {
    if (called) return undefined;
    called = true;
    return callback.apply(this, args);
  };
}
