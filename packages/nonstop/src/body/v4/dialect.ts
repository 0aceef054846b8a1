import { lazy } from '../../core/lazy.js';
import { memo } from '../../core/memo.js';
import type { Bodies } from '../dialect.js';
import type { BodyRequest } from '../shape.js';
import { typeIs4 } from './type-is.js';

const mediaTypes = lazy(() => require('content-type-v1') as typeof import('content-type'));

/** Set on a request whose body was read by a parser, or by other code that sets it. */
interface MarkedRequest extends BodyRequest {
  _body?: unknown;
}

const NOT_NAMED = '';

const named = memo((field) => {
  try {
    return (mediaTypes().parse(field).parameters['charset'] ?? NOT_NAMED).toLowerCase();
  } catch {
    return NOT_NAMED;
  }
});

/** Express 4: body-parser 1. */
export const bodies4: Bodies = {
  isParsed: (req: MarkedRequest) => Boolean(req._body),
  prepare(req) {
    req.body = req.body || {};
  },
  claim(req: MarkedRequest) {
    req._body = true;
  },
  namedCharset(fields) {
    const field = fields['content-type'];
    return field ? named(field) : NOT_NAMED;
  },
  isType: (field, types) => Boolean(typeIs4(field, types)),
  codings: ['gzip', 'deflate'],
};
