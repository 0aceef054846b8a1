import { strongEtag, weakEtag } from '../core/etag.js';
import { mediaTypes } from '../core/packages.js';
import { methods } from '../core/methods.js';
import { express5 } from './express5.js';
import { lookup } from './response/media-type.js';
import { compileETag, compileQueryParser } from './settings.js';
import { compileTrust } from './trust.js';

/** A media type in the form that `res.format` uses. */
export interface NormalType {
  readonly value: string;
  quality?: number;
  readonly params: Record<string, string>;
}

function normalizeType(type: string): NormalType {
  return type.includes('/') ? withParams(type) : { value: lookup(type), params: {} };
}

function withParams(field: string): NormalType {
  const [value, ...parameters] = field.split(';');
  const type: NormalType = { value: value.trim(), quality: 1, params: {} };
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim();
    const text = parameter.slice(equals + 1).trim();
    if (name === 'q') type.quality = parseFloat(text);
    else type.params[name] = text;
  }
  return type;
}

/** `express/lib/utils` of Express 5, for packages that load it. Nonstop itself does not use it. */
export const utils = {
  methods: [...methods],
  etag: strongEtag,
  wetag: weakEtag,
  normalizeType,
  normalizeTypes: (types: readonly string[]) => types.map((type) => normalizeType(type)),
  compileETag,
  compileQueryParser: (value: unknown) => compileQueryParser(value, express5.queryParsers),
  compileTrust,
  setCharset(type: string, charset: string): string {
    if (!type || !charset) return type;
    const parsed = mediaTypes().parse(type);
    parsed.parameters['charset'] = charset;
    return mediaTypes().format(parsed);
  },
};
