import { Fact } from '../../wire/facts.js';
import { areResponsesObserved, isStartObserved, publishStart } from '../server/observers.js';
import { nodeResponse } from '../../node/classes.js';
import { FIELD_LINES_ARE_LIMITED } from '../../node/nodes-parser.js';
import { SERVER_READS_HEADERS } from '../../node/differences.js';
import { readField } from '../request/one-field.js';
import type { OwnRequest } from '../request/own-request.js';
import { makeNodes } from '../response/become-node.js';
import { MANY_LINES } from '../../wire/limits.js';
import type { EngineRequest, EngineResponse, MessageHost } from '../message.js';

export { KNOWN_METHODS } from '../../wire/methods.js';

/** The connection of a request. */
interface Carrier extends MessageHost {
  readonly turns: { begin(res: EngineResponse): void };
  /** @returns the number of its requests, including this one */
  countRequest(): number;
}

// node: /(?:^|\W)100-continue(?:$|\W)/i over the value of Expect.
export const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Passes a request to the `'request'` listeners of the server, or sends one of the responses that node sends itself
 * (`parserOnIncoming` in its sources).
 */
export function dispatch(connection: Carrier, req: EngineRequest, res: EngineResponse, facts: number): void {
  const { server, socket } = connection;
  if (isStartObserved()) startBefore(connection, req, res);
  if (req.httpVersionMajor === 1 && req.httpVersionMinor === 1) {
    const known = isCut(connection, facts) ? presence(req) : facts;
    if (server.requireHostHeader && (known & Fact.Host) === 0) {
      // RFC 9112 §3.2: an HTTP/1.1 request without Host gets 400.
      res.writeHead(400, ['Connection', 'close'] as never);
      res.end();
      return;
    }
    const most = server.maxRequestsPerSocket;
    if (typeof most === 'number' && most > 0) {
      const count = connection.countRequest();
      res.maxRequestsOnConnectionReached = most <= count;
      if (most < count) {
        server.emit('dropRequest', req, socket);
        res.writeHead(503);
        res.end();
        return;
      }
    }
    if ((known & Fact.Expect) !== 0) {
      expect(connection, req, res);
      return;
    }
  }
  server.emit('request', req, res as never);
}

/** Whether lines of the head may be missing in `headers`: of a Node that drops what is behind `maxHeadersCount`, which is 1000 by default. */
function isCut({ maxHeadersCount }: MessageHost, facts: number): boolean {
  if (FIELD_LINES_ARE_LIMITED || maxHeadersCount === 0) return false;
  return maxHeadersCount < MANY_LINES || (facts & Fact.ManyLines) !== 0;
}

/** The facts that `headers` tells. */
function presence({ headers: { host, expect } }: EngineRequest): number {
  return (host === undefined ? 0 : Fact.Host) | (expect === undefined ? 0 : Fact.Expect);
}

/**
 * For subscribers of `http.server.request.start`: as under node, the response gets its socket behind them, with the event `'socket'`, what they
 * have sent is written then, and what they do at `'finish'` comes before the socket is taken from it.
 */
function startBefore(connection: Carrier, req: EngineRequest, res: EngineResponse): void {
  const observed = areResponsesObserved();
  // node's constructor publishes the response first.
  const finished = observed ? makeNodes(res) : (res.listeners('finish')[0] as () => void);
  if (!observed) res.removeListener('finish', finished);
  publishStart(connection, req, res);
  connection.turns.begin(res);
  nodeResponse.on.call(res, 'finish', finished);
}

// RFC 9110 §10.1.1.
function expect({ server }: Carrier, req: EngineRequest, res: EngineResponse): void {
  // Where node does not make `headers` first, a handler can still change what they will be.
  const expected = SERVER_READS_HEADERS ? req.headers.expect : readField(req as OwnRequest, 'expect');
  if (CONTINUE.test(String(expected))) {
    res._expect_continue = true;
    if (server.listenerCount('checkContinue') > 0) {
      server.emit('checkContinue', req, res as never);
    } else {
      res.writeContinue();
      server.emit('request', req, res as never);
    }
  } else if (server.listenerCount('checkExpectation') > 0) {
    server.emit('checkExpectation', req, res as never);
  } else {
    res.writeHead(417);
    res.end();
  }
}
