import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CollectableRequest } from '../core/request-shortcuts.js';

/** A request that a parser fills in. `body` is absent, not undefined, until the first parser saw it: packages ask `'body' in req`. */
export interface BodyRequest extends IncomingMessage, CollectableRequest {
  body?: unknown;
}

export type Next = (error?: unknown) => void;

/** A body parser, ready to be mounted. */
export type BodyParser = (req: BodyRequest, res: ServerResponse, next: Next) => void;

/** Sees the bytes of a body, inflated, before they are parsed; throws to refuse them. */
export type Verify = (req: BodyRequest, res: ServerResponse, bytes: Buffer, charset: string | null) => void;

/** What all four parsers can be told. */
export interface BodyOptions {
  /** Whether compressed bodies are inflated (default) or refused with 415. */
  inflate?: boolean;
  /** The most a body may measure, inflated: bytes, or a text such as `'1mb'`. Default 100 kB. */
  limit?: number | string | null;
  /** The media types, extensions or wildcards that are parsed, or a function that decides. */
  type?: string | string[] | ((req: BodyRequest) => unknown);
  verify?: Verify | false;
  /** The charset of a body that names none. Default utf-8. */
  defaultCharset?: string;
}
