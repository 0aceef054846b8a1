import fc = require('fast-check');
import { guarded, statementsOf } from '../programs/generate.js';
import type { StreamBody, StreamProgram } from './program.js';

/** Acts on what only connections of HTTP/1 have, and readings of a connection's buffers. */
const OF_CONNECTION =
  /\bsocket\.(?!destroy\(\))|_send\(|useChunked|chunkedEncoding|shouldKeepAlive|res\.connection|writable(?:Length|NeedDrain|HighWaterMark|Corked)|rawHeaders|strictContentLength|removeHeader\('Transfer|setHeader\('Trailer|req\.setTimeout|70_000|unshift|req\.read\((?!\)\))|readableLength|writableFinished|req\.complete/;

const EVENTS = {
  res: ['finish', 'close', 'prefinish', 'error', 'pipe', 'unpipe'],
  req: ['end', 'close', 'aborted', 'error'],
} as const;

const statement = statementsOf(EVENTS, (act) => !OF_CONNECTION.test(act), ['calm']);

const body: fc.Arbitrary<StreamBody> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'none' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('length' as const, 'length' as const, 'chunked' as const),
      // One DATA frame each: octets that come in one read are one piece over both protocols.
      size: fc.constantFrom(1, 0, 0, 5, 300, 10_000),
      trailer: fc.boolean(),
      second: fc.constantFrom(true, true, true, false),
      atOnce: fc.boolean(),
    }),
  },
);

/** Any program; fast-check knows how to shrink it. */
export const anyStreamProgram: fc.Arbitrary<StreamProgram> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'POST', 'HEAD', 'PUT'),
  body,
  guarded,
  handler: fc.array(statement, { maxLength: 8, size: 'max' }),
  ends: fc.constantFrom(...(['now', 'now', 'now', 'calm', 'body', 'body', 'never'] as const)),
  ending: fc.constantFrom('stay' as const, 'stay' as const, 'stay' as const, 'drop' as const),
  window: fc.constantFrom(65_535, 65_535, 65_535, 3),
});
