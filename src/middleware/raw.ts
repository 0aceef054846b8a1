import type { BodyOptions, BodyParser, Reading } from './body/shape.js';
import { commonOptions } from './body/options.js';
import { debugLog } from '../core/debug-log.js';
import { read } from './body/read.js';

const log = debugLog('body-parser:raw');

/** Leaves the bytes of `application/octet-stream` bodies, or those of `options.type`, in `req.body`. */
export function raw(options?: BodyOptions | null): BodyParser {
  const reading: Reading = {
    log,
    ...commonOptions(options, 'application/octet-stream'),
    defaultCharset: null,
    parse: (body: Buffer) => body,
  };
  return function rawParser(req, res, next) {
    read(req, res, next, reading);
  };
}
