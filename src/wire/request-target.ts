import { AUTHORITY_CHAR, TARGET_CHAR, isAlpha } from '../core/ascii.js';
import { WireError } from '../core/errors.js';

/** Where in a request target (RFC 9112 §3.2) the last octet stood. */
export type TargetPart = 'start' | 'schema' | 'schema:' | 'schema:/' | 'authority' | 'authority@' | 'path';

const SLASH = 0x2f;

/**
 * The part of the target that the octet `c` stands in, after one in `part`. Checks origin-form, absolute-form,
 * authority-form and asterisk-form as far as llhttp does.
 *
 * @throws {WireError} HPE_INVALID_URL
 */
export function nextTargetPart(part: TargetPart, c: number, isConnect: boolean): TargetPart {
  switch (part) {
    case 'start':
      if (isConnect) return authority(part, c);
      if (c === SLASH || c === 0x2a) return 'path';
      if (isAlpha(c)) return 'schema';
      throw new WireError('HPE_INVALID_URL', 'Unexpected start char in url');
    case 'schema':
      if (isAlpha(c)) return 'schema';
      if (c === 0x3a) return 'schema:';
      break;
    case 'schema:':
      if (c === SLASH) return 'schema:/';
      break;
    case 'schema:/':
      if (c === SLASH) return 'authority';
      break;
    case 'authority':
    case 'authority@':
      return authority(part, c);
    case 'path':
      if (TARGET_CHAR[c]) return 'path';
      throw new WireError('HPE_INVALID_URL', 'Invalid char in url path');
  }
  throw new WireError('HPE_INVALID_URL', 'Unexpected char in url schema');
}

/** @throws {WireError} where the target must not end behind an octet in `part` */
export function endTarget(part: TargetPart): void {
  if (part.startsWith('schema')) throw new WireError('HPE_INVALID_URL', 'Unexpected char in url schema');
}

function authority(part: TargetPart, c: number): TargetPart {
  if (c === SLASH || c === 0x3f) return 'path';
  if (c === 0x40) {
    if (part === 'authority@') throw new WireError('HPE_INVALID_URL', 'Double @ in url');
    return 'authority@';
  }
  if (AUTHORITY_CHAR[c]) return 'authority';
  throw new WireError('HPE_INVALID_URL', 'Unexpected char in url server');
}
