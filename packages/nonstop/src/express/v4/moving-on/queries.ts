import type http = require('node:http');
import { parse } from 'node:querystring';
import { isDeepStrictEqual } from 'node:util';
import { callerOf } from '../../../core/caller.js';
import { queryOf } from '../../../routing/pathname.js';
import type { Application } from '../../shape.js';
import { tell } from './tell.js';

interface Queried extends http.IncomingMessage {
  query?: unknown;
  /** The innermost application of the request: Express 5 uses its query parser. */
  readonly app?: Application;
}

const watched = new WeakSet<object>();

/**
 * Watches `req.query` of one request.
 *
 * @param hasDefaultParser whether an application has the default query parser
 */
export function watchQuery(req: Queried, hasDefaultParser: (app: Application) => boolean): void {
  if (watched.has(req)) return;
  watched.add(req);
  let value = req.query;
  const text = (req.url === undefined ? null : queryOf(req as { url: string })) ?? '';
  const differs = !isDeepStrictEqual({ ...parse(text) }, value);
  Object.defineProperty(req, 'query', {
    configurable: true,
    enumerable: true,
    get: function get() {
      const caller = differs && req.app !== undefined && hasDefaultParser(req.app) ? callerOf(get) : undefined;
      if (caller?.isDirect) {
        tell(
          caller.place,
          "req.query has no lists and objects of brackets in Express 5 without app.set('query parser', 'extended')",
        );
      }
      return value;
    },
    set: function set(written: unknown) {
      const caller = callerOf(set);
      if (caller?.isDirect) tell(caller.place, 'req.query cannot be written in Express 5: use another property');
      value = written;
    },
  });
}
