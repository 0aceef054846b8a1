import type { BodyCollector, CollectableRequest } from '../../core/shortcuts.js';
import type { Fields } from '../../node/incoming-fields.js';
import type { EngineRequest } from '../message.js';

export const kLines: unique symbol = Symbol('nonstop.fieldLines');
export const kConditional: unique symbol = Symbol('nonstop.conditional');
export const kDistinct: unique symbol = Symbol('nonstop.headersDistinct');
export const kTrailerLines: unique symbol = Symbol('nonstop.trailerLines');
export const kTrailersDistinct: unique symbol = Symbol('nonstop.trailersDistinct');
export const kBody: unique symbol = Symbol('nonstop.body');
export const kBodySize: unique symbol = Symbol('nonstop.bodySize');
export const kCollector: unique symbol = Symbol('nonstop.collector');

/** A request of the engine with its internal properties. */
export interface OwnRequest extends EngineRequest, CollectableRequest {
  joinDuplicateHeaders: boolean | null;
  /** The source of `rawHeaders`: the lines of the head, or alternating names and values. */
  [kLines]: string | string[];
  /** Undefined if the request is not the engine's. */
  [kConditional]?: boolean;
  [kDistinct]?: Fields;
  /** Alternating names and values of the trailer section, when the message is complete. */
  [kTrailerLines]: string[] | null;
  [kTrailersDistinct]?: Fields;
  /** What has arrived of the body; text of a whole body, with a character for each octet. */
  [kBody]: Buffer[] | string | null;
  [kBodySize]: number;
  [kCollector]: BodyCollector | null;
  /** node's own state, under its symbols. */
  [nodeState: symbol]: unknown;
}
