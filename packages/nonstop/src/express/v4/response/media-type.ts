import { lazy } from '../../../core/lazy.js';
import { memo } from '../../../core/memo.js';
import { mime } from '../../../files/v4/mime.js';
import { HTML, JSON_TYPE } from '../../response/media-type.js';

const mediaTypes = lazy(() => require('content-type-v1') as typeof import('content-type'));

const TEXT = 'text/plain; charset=utf-8';
const CHARSET = /;\s*charset\s*=/;

/** The most common types; they do not load the tables. */
const COMMON = [HTML, JSON_TYPE, TEXT].map((field) => [field, field] as const);

/** Adds the charset that a media type implies to a Content-Type field without one. */
export const withCharset: (field: string) => string = memo(
  (field) => {
    if (CHARSET.test(field)) return field;
    const charset = mime().charsets.lookup(field.split(';')[0]);
    return charset ? `${field}; charset=${charset.toLowerCase()}` : field;
  },
  [
    ...COMMON,
    ['text/html', HTML],
    ['application/json', JSON_TYPE],
    ['text/plain', TEXT],
    ['application/octet-stream', 'application/octet-stream'],
  ],
);

/**
 * The Content-Type field for a text that is sent as UTF-8; it replaces any charset that the handler set.
 *
 * @throws TypeError if the handler's field is not a media type
 */
export const typeInUtf8: (field: string) => string = memo((field) => {
  if (field === '') return field;
  const parsed = mediaTypes().parse(field);
  parsed.parameters['charset'] = 'utf-8';
  return mediaTypes().format(parsed);
}, COMMON);
