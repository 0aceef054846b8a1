import { AUTHORITY_CHAR, TARGET_CHAR, isAlpha } from './ascii.js';
import { WireError } from '../core/errors.js';

/** Where in a request target (RFC 9112 §3.2) the last octet stood. */
export type TargetPart = 'start' | 'schema' | 'schema:' | 'schema:/' | 'authority' | 'authority@' | 'path';

const SLASH = 0x2f;
const WHITESPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20]);

/**
 * The part of the target that the octet `c` stands in, after one in `part`. Checks origin-form, absolute-form,
 * authority-form and asterisk-form as far as llhttp does.
 *
 * @returns undefined where no target goes on like that
 */
export function nextTargetPart(part: TargetPart, c: number, isConnect: boolean): TargetPart | undefined {
  switch (part) {
    case 'start':
      if (isConnect) return authority(part, c);
      if (c === SLASH || c === 0x2a) return 'path';
      return isAlpha(c) ? 'schema' : undefined;
    case 'schema':
      if (isAlpha(c)) return 'schema';
      return c === 0x3a ? 'schema:' : undefined;
    case 'schema:':
      return c === SLASH ? 'schema:/' : undefined;
    case 'schema:/':
      return c === SLASH ? 'authority' : undefined;
    case 'authority':
    case 'authority@':
      return authority(part, c);
    case 'path':
      return TARGET_CHAR[c] ? 'path' : undefined;
  }
}

function authority(part: TargetPart, c: number): TargetPart | undefined {
  if (c === SLASH || c === 0x3f) return 'path';
  if (c === 0x40) return part === 'authority@' ? undefined : 'authority@';
  return AUTHORITY_CHAR[c] ? 'authority' : undefined;
}

/** What llhttp says of the octet `c` in `part`, behind the target so far of a request of `method`. */
export function targetFault(part: TargetPart, c: number, seen: string, method: string): WireError {
  if (WHITESPACE.has(c) && part !== 'schema:/') return new WireError('HPE_INVALID_URL', 'Invalid characters in url', 1);
  if (part === 'authority@' && c === 0x40) return new WireError('HPE_INVALID_URL', 'Double @ in url', 1);
  const inServer = part === 'start' && method === 'CONNECT';
  return new WireError('HPE_INVALID_URL', faultReason(inServer ? 'authority' : part, seen));
}

function faultReason(part: TargetPart, seen: string): string {
  switch (part) {
    case 'start':
      return 'Unexpected start char in url';
    case 'schema':
    case 'schema:':
    case 'schema:/':
      return 'Unexpected char in url schema';
    case 'authority':
    case 'authority@':
      return 'Unexpected char in url server';
    case 'path':
      if (seen.includes('#')) return 'Invalid char in url fragment start';
      return seen.includes('?') ? 'Invalid char in url query' : 'Invalid char in url path';
  }
}
