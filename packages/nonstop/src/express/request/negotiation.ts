import type http = require('node:http');
import { lazy, lazyPart } from '../../core/lazy.js';
import type { Names, Request } from '../shape.js';

export type Choice = string | string[] | false;

export interface Accepts {
  types(...names: Names): Choice;
  encodings(...names: Names): Choice;
  charsets(...names: Names): Choice;
  languages(...names: Names): Choice;
}

export const accepting = lazyPart('media types', () => require('accepts') as (req: http.IncomingMessage) => Accepts);
const typeIs = lazyPart(
  'media types',
  () => require('type-is') as (req: http.IncomingMessage, types: readonly unknown[]) => string | false,
);
export const parseRange = lazy(() => require('range-parser') as typeof import('range-parser'));

/** The best of these media types for the Accept field; without arguments all types of the field, best first. */
export function accepts(this: Request, ...types: Names): Choice {
  return accepting()(this).types(...types);
}

export function acceptsEncodings(this: Request, ...encodings: Names): Choice {
  return accepting()(this).encodings(...encodings);
}

export function acceptsCharsets(this: Request, ...charsets: Names): Choice {
  return accepting()(this).charsets(...charsets);
}

export function acceptsLanguages(this: Request, ...languages: Names): Choice {
  return accepting()(this).languages(...languages);
}

/** The one of these types that the body has; false if none; null if there is no body. */
export function is(this: Request, types: string | readonly string[], ...more: string[]): string | false | null {
  return typeIs()(this, Array.isArray(types) ? types : [types, ...more].slice(0, arguments.length));
}

/**
 * The parts of a representation of `size` bytes that the Range field asks for.
 *
 * @returns undefined without the field, -1 if no part lies within `size`, -2 if the field is malformed
 */
export function range(this: Request, size: number, options?: { combine?: boolean }): unknown {
  const field = this.get('Range');
  return field ? parseRange()(size, field, options) : undefined;
}
