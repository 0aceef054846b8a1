import type { DebugLog } from '../core/debug-log.js';
import { lazy } from '../core/lazy.js';
import { namedCharset } from './charset.js';
import type { BodyRequest, Verify } from './shape.js';

const onFinished = lazy(() => require('on-finished') as typeof import('on-finished'));
const typeIs = lazy(() => require('type-is') as typeof import('type-is'));

/** What the body parsers of one Express do and those of the other do not. */
export interface Bodies {
  /** Whether there is nothing left to parse. */
  isParsed(req: BodyRequest): boolean;
  /** Gives a request that a parser sees its `body`, before anything is known of it. */
  prepare(req: BodyRequest): void;
  /** Notes that a parser is going to read. */
  claim(req: BodyRequest): void;
  /** The charset that the Content-Type of a request names, in lower case; empty when it names none. @throws TypeError */
  namedCharset(req: BodyRequest): string;
  /** Whether a Content-Type field is one of the types. */
  isType(field: string, types: string[]): boolean;
  /** The content codings that are undone, where node can. */
  readonly codings: readonly string[];
}

/** Express 5: body-parser 2. */
export const bodies5: Bodies = {
  isParsed: (req) => onFinished().isFinished(req),
  prepare(req) {
    if (!('body' in req)) req.body = undefined;
  },
  claim: () => undefined,
  namedCharset,
  isType: (field, types) => Boolean(typeIs().is(field, types)),
  codings: ['gzip', 'deflate', 'br', 'zstd'],
};

/** How one parser reads: its options, settled. */
export interface Reading {
  readonly bodies: Bodies;
  readonly inflate: boolean;
  readonly limit: number;
  readonly verify: Verify | false;
  readonly shouldParse: (req: BodyRequest) => unknown;
  /** `null` when the bytes are not decoded. */
  readonly defaultCharset: string | null;
  /** Left out where iconv-lite decides, or nothing is decoded. */
  readonly acceptsCharset?: (charset: string) => boolean;
  /** Makes the value of `req.body`; throws to refuse the body. */
  readonly parse: (body: never, charset: string | null) => unknown;
  /** Writes under the name that the parser has in Express (`DEBUG=body-parser:*`). */
  readonly log: DebugLog;
}
