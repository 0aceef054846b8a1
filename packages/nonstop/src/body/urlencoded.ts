import type { UrlencodedOptions } from '../types/middleware.js';
import type { BodyParser, Given } from './shape.js';
import { type Reading, bodies5 } from './dialect.js';
import { tooDeep, tooManyParameters } from './errors.js';
import { commonOptions } from './options.js';
import { debugLog } from '../core/debug-log.js';
import { loadAhead } from '../core/lazy.js';
import { qs } from '../core/packages.js';
import { read } from './read.js';

export const log = debugLog('body-parser:urlencoded');

const PARAMETER_LIMIT = 1000;
export const DEPTH = 32;

/** qs makes an array of every list shorter than this; Express never sets a lower limit. */
export const ARRAY_LIMIT = 100;

/** Parses `application/x-www-form-urlencoded` bodies, or those of `options.type`, into `req.body`. */
export function urlencoded(options?: Given<UrlencodedOptions>): BodyParser {
  const common = commonOptions(bodies5, options, 'application/x-www-form-urlencoded');
  if (!isFormCharset(common.defaultCharset)) {
    throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1');
  }
  const reading: Reading = {
    ...common,
    acceptsCharset: isFormCharset,
    // qs slices names and values out of the text.
    takesText: 'copy',
    parse: formParser(options ?? {}),
    log,
  };
  return function urlencodedParser(req, res, next) {
    read(req, res, next, reading);
  };
}

/** The charsets that qs can percent-decode. */
function isFormCharset(charset: string): charset is 'utf-8' | 'iso-8859-1' {
  return charset === 'utf-8' || charset === 'iso-8859-1';
}

function formParser(options: UrlencodedOptions): (body: string, charset: string | null) => unknown {
  const extended = Boolean(options.extended);
  loadAhead('nested queries');
  const depth = !extended ? 0 : options.depth !== undefined ? options.depth : DEPTH;
  const most = mostParameters(options.parameterLimit);
  const { charsetSentinel, interpretNumericEntities } = options;
  assertDepth(depth);

  return (body, charset) => {
    if (body.length === 0) return {};
    const count = countParameters(body, most);
    const settings = {
      allowPrototypes: true,
      arrayLimit: extended ? Math.max(ARRAY_LIMIT, count) : count,
      charset: charset as 'utf-8' | 'iso-8859-1',
      charsetSentinel,
      depth,
      interpretNumericEntities,
      parameterLimit: most,
      strictDepth: true,
    };
    log(extended ? 'parse extended urlencoding' : 'parse urlencoding');
    try {
      return qs().parse(body, settings);
    } catch (error) {
      throw error instanceof RangeError ? tooDeep() : error;
    }
  };
}

/**
 * The maximum number of parameters.
 *
 * @throws TypeError for a value that is not a positive number
 */
export function mostParameters(limit = PARAMETER_LIMIT): number {
  if (Number.isNaN(Number(limit)) || limit < 1) {
    throw new TypeError('option parameterLimit must be a positive number');
  }
  return Number.isFinite(Number(limit)) ? Number(limit) | 0 : limit;
}

/** @throws TypeError for a depth that is not a number, or below zero */
export function assertDepth(depth: number): void {
  if (Number.isNaN(Number(depth)) || depth < 0) {
    throw new TypeError('option depth must be a zero or a positive number');
  }
}

/** Counts the parameters of a body, and stops at the limit, so that a long body of `&` is cheap to refuse. A limit of 2^31 or more is below one here. */
export function countParameters(body: string, limit: number): number {
  let count = 0;
  let at = -1;
  do {
    count += 1;
    if (count > limit) {
      log('too many parameters');
      throw tooManyParameters();
    }
    at = body.indexOf('&', at + 1);
  } while (at !== -1);
  return count;
}
