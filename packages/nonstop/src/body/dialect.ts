import type { DebugLog } from '../core/debug-log.js';
import { lazyPart } from '../core/lazy.js';
import { onFinished } from '../core/packages.js';
import { kTaken, kUnread, type BodyFields } from '../core/shortcuts.js';
import { namedCharset } from './charset.js';
import type { BodyOptions } from '../types/middleware.js';
import type { BodyRequest } from './shape.js';

const typeIs = lazyPart('media types', () => require('type-is') as typeof import('type-is'));

/** What differs between the body parsers of Express 4 and 5. */
export interface Bodies {
  /** Whether there is nothing left to parse. */
  isParsed(req: BodyRequest): boolean;
  /** Sets `req.body` as soon as a parser sees the request. */
  prepare(req: BodyRequest): void;
  /** Called when a parser is about to read. */
  claim(req: BodyRequest): void;
  /** The charset parameter of a Content-Type, in lower case; '' without one. @throws TypeError */
  namedCharset(fields: BodyFields): string;
  /** Whether a Content-Type field is one of the types. */
  isType(field: string, types: string[]): boolean;
  /** The content codings that are decoded, if this Node can. */
  readonly codings: readonly string[];
}

/** Express 5: body-parser 2. */
export const bodies5: Bodies = {
  isParsed: (req) => req[kUnread] !== true && (req[kTaken] === true || onFinished().isFinished(req)),
  prepare(req) {
    if (!('body' in req)) req.body = undefined;
  },
  claim: () => undefined,
  namedCharset,
  isType: (field, types) => Boolean(typeIs().is(field, types)),
  codings: ['gzip', 'deflate', 'br', 'zstd'],
};

/** How one parser reads: its options with defaults applied. */
export interface Reading {
  readonly bodies: Bodies;
  readonly inflate: boolean;
  readonly limit: number;
  readonly verify: NonNullable<BodyOptions['verify']> | false;
  readonly shouldParse: (req: BodyRequest, fields: BodyFields) => unknown;
  /** `null`: the bytes are not decoded. */
  readonly defaultCharset: string | null;
  /** Undefined if iconv-lite decides, or nothing is decoded. */
  readonly acceptsCharset: ((charset: string) => boolean) | undefined;
  /** Returns the value of `req.body`. Throws to refuse the body. */
  readonly parse: (body: never, charset: string | null) => unknown;
  /**
   * Whether a body in ASCII may come as text. `part`: as a slice of what was read, because the value keeps no part of the text. `copy`: as a
   * copy, because the value keeps parts of it, and a slice would keep all that was read alive.
   */
  readonly takesText: 'part' | 'copy' | undefined;
  /** Logs under the parser's name in Express (`DEBUG=body-parser:*`). */
  readonly log: DebugLog;
}
