import { WireError } from '../core/errors.js';

const LF = 0x0a;
const SP = 0x20;

const FRAMING_NAMES: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The error for the octet `c` behind a part of a field name. For a space after a name that llhttp knows, its text differs. */
export function nameFault(name: string, c: number): WireError {
  const known = c === SP && FRAMING_NAMES.has(name.toLowerCase());
  if (known) return new WireError('HPE_INVALID_HEADER_TOKEN', 'Invalid header field char', 1);
  return new WireError('HPE_INVALID_HEADER_TOKEN', 'Invalid header token');
}

/** The error for another octet than LF behind the CR of a field line. */
export function lineFault(value: string): WireError {
  if (value === '') return new WireError('HPE_STRICT', 'Expected LF after CR');
  return new WireError('HPE_LF_EXPECTED', 'Missing expected LF after header value');
}

/** The error for the octet `c` behind a part of a field value. */
export function valueFault(name: string, value: string, c: number): WireError {
  if (c === LF && value !== '') return new WireError('HPE_CR_EXPECTED', 'Missing expected CR after header value');
  if (c !== LF && name.toLowerCase() === 'content-length') {
    return new WireError('HPE_INVALID_CONTENT_LENGTH', 'Invalid character in Content-Length');
  }
  return new WireError('HPE_INVALID_HEADER_TOKEN', 'Invalid header value char', c === LF ? 1 : 0);
}
