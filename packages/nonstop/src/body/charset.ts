import { lazyPart } from '../core/lazy.js';
import { mediaTypes } from '../core/packages.js';
import { memo } from '../core/memo.js';
import type { BodyFields } from '../core/shortcuts.js';

const iconv = lazyPart('bodies', () => {
  const loaded = require('iconv-lite') as typeof import('iconv-lite');
  // The first call loads its tables.
  loaded.encodingExists('utf-8');
  return loaded;
});

const NOT_NAMED = '';
const BYTE_ORDER_MARK = 0xfeff;

const named = memo((field) => mediaTypes().parse(field).parameters.charset?.toLowerCase() ?? NOT_NAMED);

/** The charset parameter of a Content-Type, in lower case; '' without one. */
export function namedCharset(fields: BodyFields): string {
  const field = fields['content-type'];
  return field ? named(field) : NOT_NAMED;
}

/** Whether iconv-lite can decode this charset. */
export function isKnownCharset(charset: string): boolean {
  return charset === 'utf-8' || iconv().encodingExists(charset);
}

/**
 * Decodes a whole body; a byte order mark is removed.
 *
 * @throws Error for a charset that iconv-lite does not know
 */
export function decode(bytes: Buffer, charset: string): string {
  if (charset !== 'utf-8') return iconv().decode(bytes, charset);
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}
