import type { Http2Request } from './messages.js';
import { kReading } from './symbols.js';

/**
 * The request whose state `holder` reads: `holder` itself, or one that it inherits from (`Object.create(req)`). null if it is no request of
 * this package.
 */
export function requestOf(holder: object): Http2Request | null {
  let owner: object | null = holder;
  while (owner !== null && !Object.hasOwn(owner, kReading)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner as Http2Request | null;
}
