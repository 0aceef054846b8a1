import { EventEmitter } from 'node:events';
import { CONTINUE, KNOWN_METHODS } from '../http/connection/dispatch.js';
import type { Http2Server } from '../node/http2-servers.js';
import { areDomainsUsed } from '../node/nodes-observers.js';
import type { Http2Request, Http2Response } from './messages.js';
import { kBlock } from './symbols.js';

/**
 * The paths that a request of HTTP/1 can have (RFC 9113 §8.3.1). nghttp2 checks `:path` only where `:scheme` is http or https, and lets octets above
 * ASCII pass. Without the first slash no rule for a path applies, although `express.static` and proxies find the file.
 */
const PATH = /^(?:\/[!-~]*|\*)$/;

/** Each character of a path is one octet, and those that are encoded are above ASCII, or a space or DEL. */
const percentEncoded = (octet: string): string => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** What {@link dispatchHttp2} refuses, as a message that rules for methods and paths apply to: for one that node has given to a program already. */
export function mendMessage(req: Http2Request): void {
  const { method, url } = req;
  if (method !== undefined) req.method = method.toUpperCase();
  if (url !== undefined && !PATH.test(url)) req.url = url.replace(/^(?!\/)/, '/').replaceAll(/[^!-~]/g, percentEncoded);
}

type Emit = (event: string, req: Http2Request, res: Http2Response) => boolean;

/**
 * Emits a request on its server, or sends one of the few answers that node sends itself (`onServerStream` in its
 * sources).
 */
export function dispatchHttp2(server: Http2Server, req: Http2Request, res: Http2Response): void {
  const emit = server.emit as Emit;
  if (areDomainsUsed()) joinDomain(req, res);
  if (req.method === 'CONNECT') {
    if (!emit.call(server, 'connect', req, res)) refuseWith(res, 405);
    return;
  }
  // As over HTTP/1. Routers match `post` as POST, which a check of `req.method` would not.
  if (!KNOWN_METHODS.has(req.method as string) || !PATH.test(req.url as string)) return refuseWith(res, 400);
  const expected = req[kBlock].expect;
  if (expected === undefined) {
    emit.call(server, 'request', req, res);
  } else if (CONTINUE.test(expected)) {
    res._expect_continue = true;
    if (server.listenerCount('checkContinue') > 0) {
      emit.call(server, 'checkContinue', req, res);
    } else {
      res.writeContinue();
      emit.call(server, 'request', req, res);
    }
  } else if (!emit.call(server, 'checkExpectation', req, res)) {
    refuseWith(res, 417);
  }
}

/** As node's constructors do. A request that became a stream later would leave the domain that a program adds it to. */
function joinDomain(req: Http2Request, res: Http2Response): void {
  void req._readableState;
  Reflect.apply(EventEmitter, res, []);
}

function refuseWith(res: Http2Response, status: number): void {
  res.statusCode = status;
  res.end();
}
