import type { JsonOptions } from '../types/middleware.js';
import type { BodyParser, Given } from './shape.js';
import { type Reading, bodies5, type Bodies } from './dialect.js';
import { commonOptions } from './options.js';
import { debugLog } from '../core/debug-log.js';
import { read } from './read.js';

const log = debugLog('body-parser:json');

/** Matches the first character that is not whitespace (RFC 8259 §2). */
const FIRST_CHARACTER = /[^\x20\t\n\r]/;

/** Parses `application/json` bodies, or those of `options.type`, into `req.body`; an empty body gives `{}`. */
export function json(options?: Given<JsonOptions>): BodyParser {
  return jsonOf(bodies5, options);
}

/** The parser for one Express dialect. @param charset used instead of the option `defaultCharset` */
export function jsonOf(bodies: Bodies, options?: Given<JsonOptions>, charset?: { defaultCharset: string }): BodyParser {
  const strict = options?.strict !== false;
  const reviver = options?.reviver;
  const reading: Reading = {
    log,
    ...commonOptions(bodies, options, 'application/json'),
    ...charset,
    // RFC 8259 §8.1: JSON is exchanged in UTF-8. UTF-16 and UTF-32 are decoded too, as Express does.
    acceptsCharset: (charset) => charset.startsWith('utf-'),
    // `JSON.parse` copies every text of the body that it keeps.
    takesText: 'part',
    parse: (body: string) => {
      // Some clients send an empty body by mistake; Express accepts it.
      if (body.length === 0) return {};
      if (strict) refuseScalar(body);
      log('parse json');
      try {
        return JSON.parse(body, reviver);
      } catch (error) {
        const thrown = error as Required<SyntaxError>;
        throw reworded(thrown, { message: thrown.message, stack: thrown.stack });
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
 * The error text is that of this Node's `JSON.parse`: it parses the text with `#` in place of each character from there
 * on, and the original characters are then put back into its message.
 */
function refuseScalar(body: string): void {
  if (body[0] === '{' || body[0] === '[') return;
  const at = body.search(FIRST_CHARACTER);
  if (body[at] === '{' || body[at] === '[') return;
  log('strict violation');
  const standIn = at === -1 ? '' : body.slice(0, at) + '#'.repeat(body.length - at);
  let refusal = new SyntaxError('strict violation') as Required<SyntaxError>;
  try {
    JSON.parse(standIn);
  } catch (error) {
    refusal = error as Required<SyntaxError>;
  }
  const { message, stack } = refusal;
  throw reworded(refusal, { message: message.replace(/#+/g, (run) => body.slice(at, at + run.length)), stack });
}

/**
 * A syntax error with a new message (in its stack too), and without fields that a reviver may have set. A reviver may have thrown a frozen
 * error, or another value: then this function throws, as in Express. V8's message names the parameter, so it has Express's name, `obj`.
 */
function reworded(error: SyntaxError, obj: { readonly message: string; readonly stack: string }): SyntaxError {
  for (const key of Object.getOwnPropertyNames(error)) {
    if (key !== 'stack' && key !== 'message') delete (error as object as Record<string, unknown>)[key];
  }
  // A function as replacement, because `$` in a replacement text is special.
  error.stack = obj.stack.replace(error.message, () => obj.message);
  error.message = obj.message;
  return error;
}
