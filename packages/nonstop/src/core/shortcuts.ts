import type { IncomingHttpHeaders } from 'node:http';
import { sharedSymbol } from './shared.js';

/** A reader of a request's body as a whole, not as a stream. */
export interface BodyCollector {
  /** Limit in octets. A longer body is left to the stream, whose reader refuses it. */
  readonly limit: number;
  /** Whether {@link whole} takes text. Absent in collectors of older copies of the package. */
  readonly takesText?: boolean;
  /** Whether {@link asStream} takes what has arrived. Absent in collectors of older copies. */
  readonly goesOn?: boolean;
  /** The body is complete. @param chunks or text, with a character for each octet */
  whole(chunks: Buffer[] | string, size: number): void;
  /**
   * The body is not complete, or other code touched the stream: the reader has to read the stream.
   *
   * @param arrived the first octets, which are not in the stream any more; undefined for none
   */
  asStream(arrived?: Buffer): void;
}

/**
 * A request that can hand over its body without becoming a stream has a method under this symbol, which returns whether
 * it will. Body parsers call it, and read the stream of every other request.
 */
export const kCollectBody: unique symbol = sharedSymbol('collectBody') as never;

/** True on a request whose body has not been asked for, and that can hand it over whole. */
export const kUntouched: unique symbol = sharedSymbol('untouched') as never;

/**
 * True on a request whose body has not been asked for, and can be read: over HTTP/1 if all of it has come, over HTTP/2 if its stream is open. Checked before
 * `on-finished`, which would make the stream of the one, and the object `req.socket` of the other.
 */
export const kUnread: unique symbol = sharedSymbol('unread') as never;

/** True on a request whose body was handed over whole. Checked before `on-finished`, which would make its stream. */
export const kTaken: unique symbol = sharedSymbol('taken') as never;

/** What body parsers read of a head. */
export type BodyFields = Pick<
  IncomingHttpHeaders,
  'content-encoding' | 'content-length' | 'content-type' | 'transfer-encoding'
>;

/**
 * On a request of HTTP/2: these fields as `headers` has them, without making `headers`, which takes a microsecond. If a program has read or
 * replaced `headers`, it is that object.
 */
export const kBodyFields: unique symbol = sharedSymbol('bodyFields') as never;

export interface CollectableRequest {
  readonly [kBodyFields]?: BodyFields;
  readonly [kUntouched]?: boolean;
  readonly [kUnread]?: boolean;
  readonly [kTaken]?: boolean;
  [kCollectBody]?(collector: BodyCollector): boolean;
}

/**
 * True on a request whose head has no If-None-Match and no If-Modified-Since, and whose `headers` object was never read,
 * so never changed. Every `res.send()` asks whether the client's copy is fresh; this answers nearly all of these without
 * building `headers`.
 */
export const kUnconditional: unique symbol = sharedSymbol('unconditional') as never;

export interface MaybeConditional {
  readonly [kUnconditional]?: boolean;
}

/**
 * A method of the engine's requests: the value that `headers` has for a field name in lower case. It searches the lines
 * of the head, so that reading one field does not build all of `headers`.
 */
export const kReadField: unique symbol = sharedSymbol('read-field') as never;

export interface FieldReadable {
  [kReadField]?(name: string): string | string[] | undefined;
}

/**
 * True on a response whose head is ASCII. node sends head and text together as UTF-8, which changes a head with other
 * characters; Express avoids this by sending a Buffer.
 */
export const kAsciiHead: unique symbol = sharedSymbol('asciiHead') as never;

/**
 * True on a response of HTTP/2 whose `end` was not replaced. Head and body are not sent together, so a body of text need not be made a Buffer.
 */
export const kTakesText: unique symbol = sharedSymbol('takesText') as never;

/**
 * True on a response of HTTP/2 if what `end()` is given goes to node's handle of its stream, which only reads it, and not to code of a program.
 */
export const kOnlyReads: unique symbol = sharedSymbol('onlyReads') as never;

/**
 * On a response of HTTP/2: its own `write()` and `end()`, which those of HTTP/1 call. An application that wraps `app.response.end` calls that of
 * HTTP/1, which it has found there.
 */
export const kOwnBody: unique symbol = sharedSymbol('ownBody') as never;

export interface MaybeAscii {
  readonly [kAsciiHead]?: boolean;
  readonly [kTakesText]?: boolean;
  readonly [kOnlyReads]?: boolean;
}
