import { WireError } from '../core/errors.js';
import { RTSP_METHODS } from './methods.js';

const HTTP_NAME = 'HTTP/';
const COMPLETE = 8;
const SUPPORTED: ReadonlySet<string> = new Set(['HTTP/0.9', 'HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0']);

/**
 * Checks one more octet of the version of a request line (RFC 9112 §2.3).
 *
 * @param seen the version so far, with this octet
 * @returns whether it is complete: whatever follows is no part of it
 * @throws {WireError} where it can no longer become one that llhttp takes
 */
export function checkVersion(seen: string, method: string): boolean {
  const { length } = seen;
  const c = seen.charCodeAt(length - 1);
  if (length <= HTTP_NAME.length) {
    // llhttp looks for whitespace that ends the target a second time here.
    if (length === 1 && (c === 0x09 || c === 0x0c))
      throw new WireError('HPE_INVALID_URL', 'Invalid characters in url', 1);
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
