import type { TextOptions } from '../types/middleware.js';
import type { BodyParser, Given } from './shape.js';
import { type Reading, bodies5, type Bodies } from './dialect.js';
import { commonOptions } from './options.js';
import { debugLog } from '../core/debug-log.js';
import { read } from './read.js';

const log = debugLog('body-parser:text');

/** Puts the text of `text/plain` bodies, or those of `options.type`, into `req.body`. */
export function text(options?: Given<TextOptions>): BodyParser {
  return textOf(bodies5, options);
}

/** The parser for one Express dialect. */
export function textOf(bodies: Bodies, options?: Given<TextOptions>): BodyParser {
  const reading: Reading = {
    log,
    ...commonOptions(bodies, options, 'text/plain'),
    acceptsCharset: undefined,
    takesText: 'copy',
    parse: (body: string) => body,
  };
  return function textParser(req, res, next) {
    read(req, res, next, reading);
  };
}
