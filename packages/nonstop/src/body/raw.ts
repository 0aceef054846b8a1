import type { BodyOptions } from '../types/middleware.js';
import type { BodyParser, Given } from './shape.js';
import { type Reading, bodies5, type Bodies } from './dialect.js';
import { commonOptions } from './options.js';
import { debugLog } from '../core/debug-log.js';
import { read } from './read.js';

const log = debugLog('body-parser:raw');

/** Puts the bytes of `application/octet-stream` bodies, or those of `options.type`, into `req.body`. */
export function raw(options?: Given<BodyOptions>): BodyParser {
  return rawOf(bodies5, options);
}

/** The parser for one Express dialect. */
export function rawOf(bodies: Bodies, options?: Given<BodyOptions>): BodyParser {
  const reading: Reading = {
    log,
    ...commonOptions(bodies, options, 'application/octet-stream'),
    defaultCharset: null,
    acceptsCharset: undefined,
    takesText: undefined,
    parse: (body: Buffer) => body,
  };
  return function rawParser(req, res, next) {
    read(req, res, next, reading);
  };
}
