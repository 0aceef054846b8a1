import type { BodyCollector, CollectableRequest } from '../../core/request-shortcuts.js';
import type { EngineRequest } from '../message.js';

export const kLines: unique symbol = Symbol('nonstop.fieldLines');
export const kConditional: unique symbol = Symbol('nonstop.conditional');
export const kDistinct: unique symbol = Symbol('nonstop.headersDistinct');
export const kTrailerLines: unique symbol = Symbol('nonstop.trailerLines');
export const kTrailersDistinct: unique symbol = Symbol('nonstop.trailersDistinct');
export const kBody: unique symbol = Symbol('nonstop.body');
export const kBodySize: unique symbol = Symbol('nonstop.bodySize');
export const kCollector: unique symbol = Symbol('nonstop.collector');

export type Fields = Record<string, string | string[] | undefined>;

/** A request of the engine with what it keeps for itself. */
export interface OwnRequest extends EngineRequest, CollectableRequest {
  joinDuplicateHeaders: boolean;
  /** Where `rawHeaders` comes from: the lines of the head, or names and values in turn. */
  [kLines]: string | string[];
  /** Undefined on a request that is not the engine's. */
  [kConditional]?: boolean;
  [kDistinct]?: Fields;
  /** Names and values of the trailer section in turn, once the message is complete. */
  [kTrailerLines]: string[] | null;
  [kTrailersDistinct]?: Fields;
  [kBody]: Buffer[] | null;
  [kBodySize]: number;
  [kCollector]: BodyCollector | null;
  /** State of node's own, under its symbols. */
  [nodeState: symbol]: unknown;
}

export function defineOwn(target: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
