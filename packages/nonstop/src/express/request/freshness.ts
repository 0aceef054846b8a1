import type http = require('node:http');
import { lazy } from '../../core/lazy.js';
import { kUnconditional, type MaybeConditional } from '../../core/shortcuts.js';
import { get } from '../response/fields.js';
import type { Getters, Request } from '../shape.js';

type Fresh = (requestFields: Conditions, responseFields: object) => boolean;

const isFresh = lazy(() => require('fresh') as Fresh);

type Conditions = http.IncomingHttpHeaders;

/** Whether the client's cached representation is still fresh (RFC 9110 §13.1). */
export const freshness = {
  get fresh(): boolean {
    return isFreshBy(isFreshIn5, this);
  },

  get stale(): boolean {
    return !this.fresh;
  },
} satisfies Getters<'fresh' | 'stale'>;

/** If-None-Match takes precedence over If-Modified-Since. */
function isFreshIn5(conditions: Conditions, fields: object): boolean {
  return isFresh()(conditions, fields);
}

/** Whether a request has conditions, its method and the response's status allow them, and `judge` returns true. */
export function isFreshBy(judge: Fresh, request: Request): boolean {
  const req = request as Request & MaybeConditional;
  const { method, res } = req;
  // A `res.get` of the program is called for both fields, whatever the request says.
  const plain = res.get === get;
  if (plain && req[kUnconditional] === true) return false;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'QUERY') return false;
  const status = res.statusCode;
  // A status may be no number: NaN is neither below nor above.
  if (!(status >= 200 && status < 300) && status !== 304) return false;
  const { headers } = req;
  if (plain && !headers['if-none-match'] && !headers['if-modified-since']) return false;
  return judge(headers, { etag: res.get('ETag'), 'last-modified': res.get('Last-Modified') });
}
