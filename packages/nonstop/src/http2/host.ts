import http2 = require('node:http2');
import { perProcess } from '../core/shared.js';
import { keyFits } from './certificate.js';
import { http2Module } from './module.js';
import { takeMessages } from './nodes-own.js';
import { isHttp2Server } from '../node/http2-servers.js';
import { kSession, kStream } from './symbols.js';
import { accelerateHttp2, adoptSession, isHttp2Decided } from './takeover.js';
import { twinOf } from './twins.js';

/** Whether a message of HTTP/2 is of this package; the others are node's own. */
function isOurs(message: object): boolean {
  return kStream in message;
}

/** The session that a message came by. Its stream would count as used by the program. */
function sessionOf(req: http2.Http2ServerRequest): http2.Http2Session | undefined {
  return (req as { [kSession]?: http2.Http2Session })[kSession] ?? req.stream.session;
}

/** Takes a user's server over when its first request reaches an application. */
function takeRequest(req: http2.Http2ServerRequest, res: http2.Http2ServerResponse): void {
  if (!isOurs(req)) takeMessages(req, res);
}

const own = {
  nodes: http2,
  http2Module,
  isHttp2Server,
  accelerateHttp2,
  adoptSession,
  isHttp2Decided,
  isOurs,
  sessionOf,
  takeRequest,
  keyFits,
  twinOf,
};

/**
 * The framework's interface to HTTP/2. Copies of one major version in one process share that of the first copy that used
 * it, as they share the engine (docs/decisions/0014).
 */
export const http2Host: typeof own = perProcess('http2', () => own);
