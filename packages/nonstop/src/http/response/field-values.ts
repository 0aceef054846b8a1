import http = require('node:http');
import { kOctetsOutsideAscii, type EngineResponse, type FieldValue } from '../message-types.js';

/** Anything but HTAB, SP and visible ASCII: obs-text is allowed but node's to encode, the rest is refused. */
export const UNSAFE_VALUE = /[^\t\x20-\x7e]/;

/**
 * Judges the value of a response field (RFC 9110 §5.5).
 *
 * @returns false where the value is of a kind that only node's own code should judge
 * @throws {TypeError} ERR_INVALID_CHAR, node's own
 */
export function isOrdinaryValue(res: EngineResponse, name: string, value: unknown): value is FieldValue {
  if (typeof value === 'string') {
    if (UNSAFE_VALUE.test(value)) {
      http.validateHeaderValue(name, value);
      res[kOctetsOutsideAscii] = true;
    }
    return true;
  }
  if (typeof value === 'number') return true;
  if (!Array.isArray(value)) return false;
  for (const item of value as unknown[]) {
    if (typeof item !== 'string' || UNSAFE_VALUE.test(item)) return false;
  }
  return true;
}
