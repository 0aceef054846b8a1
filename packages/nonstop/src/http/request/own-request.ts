import type { BodyCollector, CollectableRequest } from '../../core/shortcuts.js';
import type { Fields } from '../../node/incoming-fields.js';
import type { EngineRequest } from '../message.js';
import type { GatheredBody } from './gathered-body.js';

export const kLines: unique symbol = Symbol('nonstop.fieldLines');
export const kConditional: unique symbol = Symbol('nonstop.conditional');
export const kDistinct: unique symbol = Symbol('nonstop.headersDistinct');
export const kTrailerLines: unique symbol = Symbol('nonstop.trailerLines');
export const kTrailersDistinct: unique symbol = Symbol('nonstop.trailersDistinct');
export const kBody: unique symbol = Symbol('nonstop.body');
export const kBodySize: unique symbol = Symbol('nonstop.bodySize');
export const kReply: unique symbol = Symbol('nonstop.reply');
export const kCollector: unique symbol = Symbol('nonstop.collector');

/** What node's symbol for the number of entries in `rawHeaders` has while that list is not made; it is 0 or more then. */
export const enum HeadersCount {
  /** No field was read. */
  Unread = -1,
  /** One field was looked up in the lines: the next look makes `headers`. */
  Asked = -2,
}

/** How far the response to a lean request is: what its stream will be, if a program uses it now, depends on it. */
export const enum Reply {
  /** It is not sent. */
  Due = 0,
  /** It is sent, and its `'finish'` and `'close'` are emitted: under node the stream of the request has not ended yet. */
  Finishing = 1,
  /** It is sent, and the events were emitted: under node the stream of a complete request is closed. */
  Sent = 2,
}

/** A request of the engine with its internal properties. */
export interface OwnRequest extends EngineRequest, CollectableRequest {
  joinDuplicateHeaders: boolean | null;
  /** The source of `rawHeaders`: the lines of the head, or alternating names and values. */
  [kLines]: string | string[];
  /** Undefined if the request is not the engine's. */
  [kConditional]?: boolean;
  [kDistinct]?: Fields;
  /** Alternating names and values of the trailer section, if the message has one and is complete. */
  [kTrailerLines]?: string[];
  [kTrailersDistinct]?: Fields;
  /** What has arrived of the body; text of a whole body, with a character for each octet. */
  [kBody]: Buffer[] | GatheredBody | string | null;
  /** In octets. */
  [kBodySize]: number;
  [kReply]: Reply;
  [kCollector]: BodyCollector | null;
  /** node's own state, under its symbols. */
  [nodeState: symbol]: unknown;
}
