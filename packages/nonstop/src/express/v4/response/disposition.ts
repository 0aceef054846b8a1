import path = require('node:path');
import { lazy } from '../../../core/lazy.js';

const contentDisposition = lazy(() => require('content-disposition') as { encodeExtended(text: string): string });

/** The characters of a quoted string (RFC 2616 §2.2), in Latin-1. */
const TEXT = /^[\x20-\x7e\x80-\xff]+$/;
const NOT_LATIN1 = /[^\x20-\x7e\xa0-\xff]/g;
const LOOKS_ENCODED = /%[0-9a-f]{2}/i;

/**
 * A Content-Disposition field with `attachment`, as content-disposition 0.5 writes it. A Latin-1 name is written as it
 * is. Other names are written twice: with `?` for each other character, and in UTF-8.
 *
 * @throws TypeError for a name that is not a string
 */
export function dispositionOf(filename?: string): string {
  if (filename === undefined) return 'attachment';
  if (typeof filename !== 'string') throw new TypeError('filename must be a string');
  const name = path.basename(filename);
  const latin1 = name.replace(NOT_LATIN1, '?');
  const isText = TEXT.test(name);
  const quoted = isText || latin1 !== name ? `; filename="${latin1.replace(/[\\"]/g, '\\$&')}"` : '';
  const isWhole = isText && latin1 === name && !LOOKS_ENCODED.test(name);
  return `attachment${quoted}${isWhole ? '' : `; filename*=${contentDisposition().encodeExtended(name)}`}`;
}
