import { mediaTypes, mimeTypes } from '../../core/packages.js';
import { memo } from '../../core/memo.js';

export const HTML = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
export const BYTES = 'application/octet-stream';

/** The most common types. They are here so that the table of all media types need not be loaded (a test compares both). */
const COMMON: readonly (readonly [string, string])[] = [
  ['html', HTML],
  ['text/html', HTML],
  [HTML, HTML],
  ['json', JSON_TYPE],
  ['application/json', JSON_TYPE],
  [JSON_TYPE, JSON_TYPE],
  ['txt', TEXT],
  ['text', TEXT],
  ['text/plain', TEXT],
  [TEXT, TEXT],
  ['bin', BYTES],
  [BYTES, BYTES],
];

/**
 * The Content-Type field for a file extension or a media type, with the charset that its type implies; false for an
 * unknown extension.
 */
export const contentType: (type: string) => string | false = memo((type) => mimeTypes().contentType(type), COMMON);

/** The media type of a file extension, without parameters. */
export function lookup(extension: string): string {
  return mimeTypes().lookup(extension) || BYTES;
}

/**
 * The Content-Type field for a text that is sent as UTF-8; it replaces any charset that the handler set.
 *
 * @throws TypeError if the handler's field is not a media type
 */
export const contentTypeInUtf8: (field: string) => string | false = memo(
  (field) => {
    if (field === '') return contentType(field);
    const parsed = mediaTypes().parse(field);
    parsed.parameters.charset = 'utf-8';
    return contentType(mediaTypes().format(parsed));
  },
  [HTML, JSON_TYPE, TEXT].map((type) => [type, type] as const),
);

/** The media type, without parameters, of a key of `res.format`: an extension or a type. */
export function mediaTypeOf(key: string): string {
  if (!key.includes('/')) return lookup(key);
  const semicolon = key.indexOf(';');
  return (semicolon === -1 ? key : key.slice(0, semicolon)).trim();
}
