import type http = require('node:http');
import { lazy } from '../../../core/lazy.js';
import type { Names, Request } from '../../shape.js';

type Choice = string | string[] | false;

interface Accepts {
  types(...names: Names): Choice;
  encodings(...names: Names): Choice;
  charsets(...names: Names): Choice;
  languages(...names: Names): Choice;
}

const accepting = lazy(() => require('accepts-v1') as (req: http.IncomingMessage) => Accepts);
const typeIs = lazy(
  () => require('type-is-v1') as (req: http.IncomingMessage, types: readonly unknown[]) => string | false | null,
);
const parseRange = lazy(() => require('range-parser-v1.2') as typeof import('range-parser'));
const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** Which of names the client likes best, by the packages of Express 4, and the older names of the same. */
export const negotiation = {
  accepts(this: Request, ...types: Names): Choice {
    return accepting()(this).types(...types);
  },

  acceptsEncodings(this: Request, ...encodings: Names): Choice {
    return accepting()(this).encodings(...encodings);
  },

  acceptsEncoding(this: Request, ...encodings: Names): Choice {
    deprecate()('req.acceptsEncoding: Use acceptsEncodings instead');
    return accepting()(this).encodings(...encodings);
  },

  acceptsCharsets(this: Request, ...charsets: Names): Choice {
    return accepting()(this).charsets(...charsets);
  },

  acceptsCharset(this: Request, ...charsets: Names): Choice {
    deprecate()('req.acceptsCharset: Use acceptsCharsets instead');
    return accepting()(this).charsets(...charsets);
  },

  acceptsLanguages(this: Request, ...languages: Names): Choice {
    return accepting()(this).languages(...languages);
  },

  acceptsLanguage(this: Request, ...languages: Names): Choice {
    deprecate()('req.acceptsLanguage: Use acceptsLanguages instead');
    return accepting()(this).languages(...languages);
  },

  range(this: Request, size: number, options?: { combine?: boolean }): unknown {
    const field = this.get('Range');
    return field ? parseRange()(size, field, options) : undefined;
  },

  is(this: Request, types: string | readonly string[], ...more: string[]): string | false | null {
    return typeIs()(this, Array.isArray(types) ? types : [types, ...more].slice(0, arguments.length));
  },
};
