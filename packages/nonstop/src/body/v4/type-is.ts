import type { IncomingMessage } from 'node:http';
import { lazy } from '../../core/lazy.js';
import { lookup4, plainType } from './media-types.js';

const typeIs = lazy(() => require('type-is') as typeof import('type-is'));

/** What is no extension, but a word of `type-is`. */
const WORDS: ReadonlySet<unknown> = new Set(['urlencoded', 'multipart']);

/**
 * Which of some types a Content-Type field is of, as type-is 1 has it: with the extensions of its time, and with nothing said of a field
 * that is malformed.
 *
 * @returns the type as it was given, or that of the field where it was given with a `*` or a `+`; the field's where none was given
 */
export function typeIs4(field: string | undefined, types: readonly string[]): string | false {
  const type = field ? plainType(field) : undefined;
  if (type === undefined) return false;
  if (types.length === 0) return type;
  const found = types.find((each) => typeIs().is(type, [whole(each)]) !== false);
  if (found === undefined) return false;
  return found.startsWith('+') || found.includes('*') ? type : found;
}

/** The same of a request; null where it has no body. */
export function requestIs4(req: IncomingMessage, types: readonly string[]): string | false | null {
  return typeIs().hasBody(req) ? typeIs4(req.headers['content-type'], types) : null;
}

/** A type instead of an extension. */
function whole(type: unknown): string {
  const isExtension = typeof type === 'string' && !type.includes('/') && !type.startsWith('+') && !WORDS.has(type);
  return (isExtension ? lookup4(type) : type) as string;
}
