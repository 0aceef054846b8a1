import type http = require('node:http');
import { callerOf } from '../../../core/caller.js';
import { alike, around, here, tell, type Method } from './tell.js';

type ParsedRequest = http.IncomingMessage & { body?: unknown; _body?: unknown };

/** Watches the body parsers, and reads of `req.body` for requests that they do not parse. */
export function watchBodies(express: object): void {
  for (const name of ['json', 'raw', 'text', 'urlencoded']) {
    around(
      express,
      name,
      (own) =>
        function (options?: { readonly extended?: unknown } | null) {
          if (name === 'urlencoded' && options?.extended === undefined) {
            tell(here(), 'express.urlencoded() without extended is not extended in Express 5: give it extended: true');
          }
          return watching(own(options) as Method);
        },
    );
  }
}

function watching(parser: Method): Method {
  return alike(function (req: ParsedRequest, res: http.ServerResponse, next: (error?: unknown) => void) {
    parser(req, res, (error?: unknown) => {
      if (!error && !req._body) watchBody(req);
      next(error);
    });
  }, parser);
}

function watchBody(req: ParsedRequest): void {
  const value = req.body;
  Object.defineProperty(req, 'body', {
    configurable: true,
    enumerable: true,
    get: function get() {
      const caller = callerOf(get);
      if (caller?.isDirect) tell(caller.place, 'req.body is undefined in Express 5 where no parser has read a body');
      return value;
    },
    set(body: unknown) {
      Object.defineProperty(req, 'body', { value: body, configurable: true, enumerable: true, writable: true });
    },
  });
}
