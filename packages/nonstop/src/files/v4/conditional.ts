import type http = require('node:http');
import { lazy } from '../../core/lazy.js';

type Conditions = http.IncomingHttpHeaders;

const isFresh = lazy(() => require('fresh') as (conditions: Conditions, fields: object) => boolean);

/** Whether the client's copy is fresh, as in fresh 0.5: If-None-Match and If-Modified-Since must both match. */
export function meetsAll(conditions: Conditions, fields: object): boolean {
  const tags = conditions['if-none-match'];
  const date = conditions['if-modified-since'];
  if (!tags || !date) return isFresh()(conditions, fields);
  return (
    isFresh()({ ...conditions, 'if-modified-since': undefined }, fields) &&
    isFresh()({ ...conditions, 'if-none-match': undefined }, fields)
  );
}

/** A range that ends before it starts matches no file. */
const NOWHERE = '1-0';

/**
 * Rewrites a Range field so that range-parser 1.3 reads it as range-parser 1.2 did: a number is read up to its first
 * other character, and a part without a number is ignored. So is a part that counts from the end of a `size` that is no number.
 */
export function lenientRange(field: string, size: number): string {
  const equals = field.indexOf('=');
  if (equals === -1) return field;
  const parts = field
    .slice(equals + 1)
    .split(',')
    .map((part) => part.split('-').map((digits) => position(digits)))
    .map(([start, end = '']) => [start, end])
    .filter(([start, end]) => (Number.isNaN(size - 1) ? start !== '' && end !== '' : start !== '' || end !== ''))
    .map(([start, end]) => `${start}-${end}`);
  return `${field.slice(0, equals)}=${parts.join(',') || NOWHERE}`;
}

function position(digits: string): string {
  const number = parseInt(digits, 10);
  return Number.isNaN(number) ? '' : String(Math.min(number, Number.MAX_SAFE_INTEGER));
}
