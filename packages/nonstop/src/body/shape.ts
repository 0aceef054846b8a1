import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CollectableRequest } from '../core/request-shortcuts.js';

/**
 * A request of a body parser. `body` is absent, not undefined, until the first parser sees the request: packages check
 * `'body' in req`.
 */
export interface BodyRequest extends IncomingMessage, CollectableRequest {
  body?: unknown;
}

export type Next = (error?: unknown) => void;

/** A body parser, ready to be mounted. */
export type BodyParser = (req: BodyRequest, res: ServerResponse, next: Next) => void;

/** Gets the inflated bytes of a body before they are parsed. Throws to refuse them. */
export type Verify = (req: BodyRequest, res: ServerResponse, bytes: Buffer, charset: string | null) => void;

/** The options of all four parsers. */
export interface BodyOptions {
  /** Whether compressed bodies are inflated (default) or refused with 415. */
  inflate?: boolean;
  /** The maximum length of an inflated body: bytes, or a text such as `'1mb'`. Default 100 kB. */
  limit?: number | string | null;
  /** The media types, extensions or wildcards to parse, or a function that decides. */
  type?: string | string[] | ((req: BodyRequest) => unknown);
  verify?: Verify | false;
  /** The charset of a body without a charset parameter. Default utf-8. */
  defaultCharset?: string;
}
