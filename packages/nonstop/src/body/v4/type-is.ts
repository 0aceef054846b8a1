import type { IncomingMessage } from 'node:http';
import { lazyPart } from '../../core/lazy.js';
import { lookup4, plainType } from './media-types.js';

const typeIs = lazyPart('media types', () => require('type-is') as typeof import('type-is'));

/** Words of `type-is` that are not extensions. */
const WORDS: ReadonlySet<unknown> = new Set(['urlencoded', 'multipart']);

/**
 * Finds the type that a Content-Type field matches, as type-is 1 does: with its version's extensions; a malformed field
 * matches none.
 *
 * @returns the matching entry of the list, or the field's own type if that entry has a `*` or `+` or the list is empty
 */
export function typeIs4(field: string | undefined, types: readonly string[]): string | false {
  const type = field ? plainType(field) : undefined;
  if (type === undefined) return false;
  if (types.length === 0) return type;
  const found = types.find((each) => typeIs().is(type, [whole(each)]) !== false);
  if (found === undefined) return false;
  return found.startsWith('+') || found.includes('*') ? type : found;
}

/** The same for a request; null if it has no body. */
export function requestIs4(req: IncomingMessage, types: readonly string[]): string | false | null {
  return typeIs().hasBody(req) ? typeIs4(req.headers['content-type'], types) : null;
}

/** Turns an extension into a media type. */
function whole(type: unknown): string {
  const isExtension = typeof type === 'string' && !type.includes('/') && !type.startsWith('+') && !WORDS.has(type);
  return (isExtension ? lookup4(type) : type) as string;
}
