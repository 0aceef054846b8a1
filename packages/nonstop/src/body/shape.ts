import type { IncomingMessage, ServerResponse } from 'node:http';
import { kBodyFields, type BodyFields, type CollectableRequest } from '../core/shortcuts.js';

/**
 * A request of a body parser. `body` is absent, not undefined, until the first parser sees the request: packages check
 * `'body' in req`.
 */
export interface BodyRequest extends IncomingMessage, CollectableRequest {
  body?: unknown;
}

export type Next = (error?: unknown) => void;

export type BodyParser = (req: BodyRequest, res: ServerResponse, next: Next) => void;

/** What a parser may be called with: its options, or nothing. */
export type Given<Options> = Options | null | undefined;

/** The fields of a request's head, for a parser. Read again after a function of the program, which may change them. */
export function fieldsOf(req: BodyRequest): BodyFields {
  return req[kBodyFields] ?? req.headers;
}
