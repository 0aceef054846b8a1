import type { BodyOptions, BodyParser } from './shape.js';
import { type Reading, bodies5, type Bodies } from './dialect.js';
import { commonOptions } from './options.js';
import { debugLog } from '../core/debug-log.js';
import { read } from './read.js';

const log = debugLog('body-parser:json');

export type Reviver = (this: unknown, key: string, value: unknown) => unknown;

export interface JsonOptions extends BodyOptions {
  /** Whether only objects and arrays are accepted (default). */
  strict?: boolean;
  reviver?: Reviver;
}

/** The first character that RFC 8259 §2 does not count as whitespace. */
const FIRST_CHARACTER = /[^\x20\t\n\r]/;

/** Leaves the value of `application/json` bodies, or those of `options.type`, in `req.body`; `{}` for an empty one. */
export function json(options?: JsonOptions | null): BodyParser {
  return jsonOf(bodies5, options);
}

/** The same for one Express. */
export function jsonOf(bodies: Bodies, options?: JsonOptions | null): BodyParser {
  const strict = options?.strict !== false;
  const reviver = options?.reviver;
  const reading: Reading = {
    log,
    ...commonOptions(bodies, options, 'application/json'),
    // RFC 8259 §8.1: JSON is exchanged in UTF-8; its older companions are still decoded.
    acceptsCharset: (charset) => charset.startsWith('utf-'),
    parse: (body: string) => {
      // Express accepts the empty body that clients send by mistake.
      if (body.length === 0) return {};
      if (strict) refuseScalar(body);
      log('parse json');
      try {
        return JSON.parse(body, reviver);
      } catch (error) {
        throw reworded(error as SyntaxError, (error as SyntaxError).message);
      }
    },
  };
  return function jsonParser(req, res, next) {
    read(req, res, next, reading);
  };
}

/**
 * Throws unless a text starts as an object or array does.
 *
 * The error has the words of this node's own `JSON.parse` for a character that cannot stand there: it is asked to parse
 * the text with a `#` for each character from there on, and what it then says of those is put back.
 */
function refuseScalar(body: string): void {
  if (body[0] === '{' || body[0] === '[') return;
  const at = body.search(FIRST_CHARACTER);
  if (at !== -1 && (body[at] === '{' || body[at] === '[')) return;
  log('strict violation');
  const standIn = at === -1 ? '' : body.slice(0, at) + '#'.repeat(body.length - at);
  let refusal: SyntaxError;
  try {
    JSON.parse(standIn);
    refusal = new SyntaxError('strict violation');
  } catch (error) {
    refusal = error as SyntaxError;
  }
  throw reworded(
    refusal,
    refusal.message.replace(/#+/g, (run) => body.slice(at, at + run.length)),
  );
}

/** A syntax error as handlers get it: another message, in its stack too, and no fields that a reviver may have left on it. */
function reworded(error: SyntaxError, message: string): SyntaxError {
  for (const field of Object.getOwnPropertyNames(error)) {
    if (field !== 'stack' && field !== 'message') Reflect.deleteProperty(error, field);
  }
  // A function, for `$` in the message is no pattern.
  error.stack = error.stack?.replace(error.message, () => message);
  error.message = message;
  return error;
}
