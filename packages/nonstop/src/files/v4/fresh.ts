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
