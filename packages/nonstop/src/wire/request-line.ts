import { WireError } from '../core/errors.js';
import { RTSP_METHODS } from './methods.js';
import { AUTHORITY_CHAR, TARGET_CHAR, isAlpha } from './ascii.js';

const HTTP_NAME = 'HTTP/';
const COMPLETE = 8;
const SUPPORTED: ReadonlySet<string> = new Set(['HTTP/0.9', 'HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0']);

/**
 * Checks the next octet of a request line's version (RFC 9112 §2.3).
 *
 * @param seen the version so far, including this octet
 * @returns whether the version is complete
 * @throws {WireError} if llhttp accepts no version that starts like this
 */
export function checkVersion(seen: string, method: string): boolean {
  const { length } = seen;
  const c = seen.charCodeAt(length - 1);
  if (length <= HTTP_NAME.length) {
    if (!HTTP_NAME.startsWith(seen)) throw new WireError('HPE_INVALID_CONSTANT', 'Expected HTTP/, RTSP/ or ICE/');
    if (seen === HTTP_NAME && RTSP_METHODS.has(method)) {
      throw new WireError('HPE_INVALID_CONSTANT', 'Invalid method for HTTP/x.x request');
    }
    return false;
  }
  const isDigit = c >= 0x30 && c <= 0x39;
  if (length === 6 && !isDigit) throw new WireError('HPE_INVALID_VERSION', 'Invalid major version');
  if (length === 7 && c !== 0x2e) throw new WireError('HPE_INVALID_VERSION', 'Expected dot');
  if (length < COMPLETE) return false;
  if (!isDigit) throw new WireError('HPE_INVALID_VERSION', 'Invalid minor version');
  if (!SUPPORTED.has(seen)) throw new WireError('HPE_INVALID_VERSION', 'Invalid HTTP version', 1);
  return true;
}

const PREFACE_END = '\r\n\r\nSM\r\n\r\n';

/**
 * Checks what follows the request line of HTTP/2's preface.
 *
 * @param seen what followed so far
 * @throws {WireError} if it cannot be the preface; and if it is complete, so that the client gets an error that names HTTP/2 (RFC 9113 §3.4)
 */
export function checkPreface(seen: string): void {
  if (!PREFACE_END.startsWith(seen)) throw new WireError('HPE_INVALID_VERSION', 'Expected HTTP/2 Connection Preface');
  if (seen === PREFACE_END) throw new WireError('HPE_PAUSED_H2_UPGRADE', 'Pause on PRI/Upgrade', 1);
}

/**
 * Checks the octet behind the target. llhttp checks a second time for whitespace that ends it: behind one space, but not behind more, and behind
 * the CRLF of HTTP/0.9.
 *
 * @throws {WireError} for HTAB and form feed
 */
export function checkBehindTarget(c: number): void {
  if (c === 0x09 || c === 0x0c) throw new WireError('HPE_INVALID_URL', 'Invalid characters in url', 1);
}

/** The part of the request target (RFC 9112 §3.2) that the last octet belongs to. */
export type TargetPart = 'start' | 'schema' | 'schema:' | 'schema:/' | 'authority' | 'authority@' | 'path';

const SLASH = 0x2f;
const WHITESPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20]);

/**
 * The part of the target that octet `c` belongs to, after an octet of `part`. Checks origin-form, absolute-form,
 * authority-form and asterisk-form as far as llhttp does.
 *
 * @returns undefined if `c` cannot follow
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

/** The error text of llhttp for octet `c` in `part` of the target of a `method` request. */
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
