import type http = require('node:http');
import { lazy } from '../../../core/lazy.js';
import { lookup4 } from '../../../body/v4/media-types.js';
import { lenientRange } from '../../../files/v4/conditional.js';
import { requestIs4 } from '../../../body/v4/type-is.js';
import { accepting as accepts, parseRange, type Accepts, type Choice } from '../../request/negotiation.js';
import type { Names, Request } from '../../shape.js';

const Negotiator = lazy(() => require('negotiator-v0') as new (req: http.IncomingMessage) => object);
const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** Negotiation as in accepts 1, whose older negotiator reads malformed fields differently. */
function accepting(req: http.IncomingMessage): Accepts {
  return Object.assign(accepts()(req), { negotiator: new (Negotiator())(req) });
}

/** The best of these types, with the extensions of accepts 1. */
function bestType(req: http.IncomingMessage, given: Names): Choice {
  const [first] = given;
  if (!first || !req.headers.accept) return accepting(req).types(...given);
  const names = (Array.isArray(first) ? first : given) as readonly string[];
  if (names.length === 0) return accepting(req).types(names);
  // An unknown extension is ignored, and so is an empty one.
  const types = names.map((type) => (type.indexOf('/') === -1 ? lookup4(type) || '' : type));
  const best = accepting(req).types(types);
  return typeof best === 'string' ? names[types.indexOf(best)] : best;
}

/** Negotiation methods as in Express 4, with their older names. */
export const negotiation = {
  accepts(this: Request, ...types: Names): Choice {
    return bestType(this, types);
  },

  acceptsEncodings(this: Request, ...encodings: Names): Choice {
    return accepting(this).encodings(...encodings);
  },

  acceptsEncoding(this: Request, ...encodings: Names): Choice {
    deprecate()('req.acceptsEncoding: Use acceptsEncodings instead');
    return accepting(this).encodings(...encodings);
  },

  acceptsCharsets(this: Request, ...charsets: Names): Choice {
    return accepting(this).charsets(...charsets);
  },

  acceptsCharset(this: Request, ...charsets: Names): Choice {
    deprecate()('req.acceptsCharset: Use acceptsCharsets instead');
    return accepting(this).charsets(...charsets);
  },

  acceptsLanguages(this: Request, ...languages: Names): Choice {
    return accepting(this).languages(...languages);
  },

  acceptsLanguage(this: Request, ...languages: Names): Choice {
    deprecate()('req.acceptsLanguage: Use acceptsLanguages instead');
    return accepting(this).languages(...languages);
  },

  range(this: Request, size: number, options?: { combine?: boolean }): unknown {
    const field = this.get('Range');
    return field ? parseRange()(size, lenientRange(field, size), options) : undefined;
  },

  is(this: Request, types: string | readonly string[], ...more: string[]): string | false | null {
    return requestIs4(this, Array.isArray(types) ? types : [types as string, ...more].slice(0, arguments.length));
  },
};
