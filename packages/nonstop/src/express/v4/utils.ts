import { strongEtag, weakEtag } from '../../core/etag.js';
import { lazy } from '../../core/lazy.js';
import { mime } from '../../files/v4/mime.js';
import { compileETag, compileQueryParser } from '../settings.js';
import { compileTrust } from '../trust.js';
import type { NormalType } from '../utils.js';
import { express4 } from './express4.js';
import { dispositionOf } from './response/disposition.js';
import { isAbsolute } from './response/files.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));
const mediaTypes = lazy(() => require('content-type-v1') as typeof import('content-type'));

function normalizeType(type: string): NormalType {
  return type.includes('/') ? withParams(type) : { value: mime().lookup(type), params: {} };
}

function withParams(field: string): NormalType {
  const [value, ...parameters] = field.split(/ *; */);
  const type: NormalType = { value, quality: 1, params: {} };
  for (const parameter of parameters) {
    const [name, text] = parameter.split(/ *= */);
    if (name === 'q') type.quality = parseFloat(text);
    else type.params[name] = text;
  }
  return type;
}

/** `express/lib/utils` of Express 4, for packages that load it. Nonstop itself does not use it. */
export const utils = {
  etag: strongEtag,
  wetag: weakEtag,
  /** Returns `undefined` instead of false, as Express 4 does. */
  isAbsolute: (path: string) => isAbsolute(path) || undefined,
  flatten(list: unknown[], depth?: number): unknown[] {
    deprecate()('utils.flatten: use array-flatten npm module instead');
    return list.flat((depth ?? Infinity) as 1);
  },
  normalizeType,
  normalizeTypes: (types: readonly string[]) => types.map((type) => normalizeType(type)),
  contentDisposition(filename?: string): string {
    deprecate()('utils.contentDisposition: use content-disposition npm module instead');
    return dispositionOf(filename);
  },
  compileETag,
  compileQueryParser: (value: unknown) => compileQueryParser(value, express4.queryParsers),
  compileTrust,
  setCharset(type: string, charset: string): string {
    if (!type || !charset) return type;
    const parsed = mediaTypes().parse(type);
    parsed.parameters['charset'] = charset;
    return mediaTypes().format(parsed);
  },
};
