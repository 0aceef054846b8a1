import { parse as parseSimple } from 'node:querystring';
import { lazy, loadAhead } from '../../core/lazy.js';
import { qs } from '../../core/packages.js';
import { tooDeep } from '../errors.js';
import { commonOptions } from '../options.js';
import { read } from '../read.js';
import type { BodyOptions, JsonOptions, TextOptions, UrlencodedOptions } from '../../types/middleware.js';
import type { BodyParser, Given } from '../shape.js';
import type { Reading } from '../dialect.js';
import { jsonOf } from '../json.js';
import { rawOf } from '../raw.js';
import { textOf } from '../text.js';
import { ARRAY_LIMIT, assertDepth, countParameters, DEPTH, log, mostParameters } from '../urlencoded.js';
import { bodies4 } from './dialect.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('body-parser'));

/** The option `defaultCharset` of body-parser 1 is for texts alone. */
const UTF8 = { defaultCharset: 'utf-8' };

/** Parses JSON bodies into `req.body`; other requests get `{}`. */
export function json(options?: Given<JsonOptions>): BodyParser {
  return jsonOf(bodies4, options, UTF8);
}

/** Puts the bytes of a body into `req.body`; other requests get `{}`. */
export function raw(options?: Given<BodyOptions>): BodyParser {
  return rawOf(bodies4, options);
}

/** Puts the text of a body into `req.body`; other requests get `{}`. */
export function text(options?: Given<TextOptions>): BodyParser {
  return textOf(bodies4, options);
}

/** Parses form bodies into `req.body`, with extended keys unless `options.extended` is false; other requests get `{}`. */
export function urlencoded(options?: Given<UrlencodedOptions>): BodyParser {
  if (options?.extended === undefined) deprecate()('undefined extended: provide extended option');
  const reading: Reading = {
    ...commonOptions(bodies4, options, 'application/x-www-form-urlencoded'),
    // body-parser 1 accepts utf-8 only.
    ...UTF8,
    acceptsCharset: (charset) => charset === 'utf-8',
    takesText: 'copy',
    parse: options?.extended === false ? simpleParser(options) : extendedParser(options ?? {}),
    log,
  };
  return function urlencodedParser(req, res, next) {
    read(req, res, next, reading);
  };
}

type FormParser = (body: string) => unknown;

function simpleParser(options: UrlencodedOptions): FormParser {
  const most = mostParameters(options.parameterLimit);
  return (body) => {
    if (body.length === 0) return {};
    countParameters(body, most);
    log('parse urlencoding');
    return parseSimple(body, undefined, undefined, { maxKeys: most });
  };
}

function extendedParser(options: UrlencodedOptions): FormParser {
  const most = mostParameters(options.parameterLimit);
  const depth = options.depth !== undefined ? options.depth : DEPTH;
  loadAhead('nested queries');
  assertDepth(depth);
  return (body) => {
    if (body.length === 0) return {};
    const arrayLimit = Math.max(ARRAY_LIMIT, countParameters(body, most));
    log('parse extended urlencoding');
    try {
      return qs().parse(body, { allowPrototypes: true, arrayLimit, depth, strictDepth: true, parameterLimit: most });
    } catch (error) {
      throw error instanceof RangeError ? tooDeep() : error;
    }
  };
}
