import { once } from 'node:events';
import http2 = require('node:http2');
import type http = require('node:http');
import { after } from 'node:test';
import type express = require('express');
import { bounded } from './bounded.js';
import { ours } from './framework.js';
import { openSession } from './http2-client.js';
import { nonstopHttp2 } from './subject.js';

type Listener = (req: http.IncomingMessage, res: http.ServerResponse) => unknown;

/** A server with one session to it; `close` closes both. */
export interface Served {
  readonly server: http2.Http2Server;
  readonly session: http2.ClientHttp2Session;
  close(): Promise<void>;
}

/** Whether a request is an object of this package. */
export function isOurs(req: object): boolean {
  return Object.getOwnPropertySymbols(req).some(({ description }) => description === 'nonstop.stream');
}

/** Serves a listener in clear text with `nonstop/http2`; every request must be an object of the package. */
export async function serve(listener: Listener, options: http2.ServerOptions = {}): Promise<Served> {
  const server = nonstopHttp2().createServer(options, listener as never);
  server.prependListener('request', (req) => {
    if (!isOurs(req)) throw new Error('a request was made by node:http2');
  });
  return await served(server);
}

/** Serves a listener as an application on a server of node's: its first request is made by node, and becomes one of the package. */
export async function serveFirst(listener: Listener, options: http2.ServerOptions = {}): Promise<Served> {
  const app = ours();
  app.use((req, res) => void listener(req, res));
  return await served(http2.createServer(options, app as never));
}

/** The same for an application. */
export async function serveApp(build: (app: express.Express) => void, options?: http2.ServerOptions): Promise<Served> {
  const app = ours();
  app.set('env', 'test');
  build(app);
  return await serve(app, options);
}

/** Lets a server listen, and opens a session. */
export async function served(server: http2.Http2Server, secure = false): Promise<Served> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const session = await openSession(server, secure);
  const close = async (): Promise<void> => {
    session.destroy();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    await bounded(closed, () => 'the end of the server');
  };
  // A test that fails in the middle would leave its server, and its file would never end.
  after(close);
  return { server, session, close };
}
