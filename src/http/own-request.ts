import type { BodyCollector, CollectableRequest } from '../core/whole-body.js';
import type { EngineRequest } from './messages.js';

export const kLines: unique symbol = Symbol('nonstop.fieldLines');
export const kConditional: unique symbol = Symbol('nonstop.conditional');
export const kCount: unique symbol = Symbol('nonstop.fieldCount');
export const kHeaders: unique symbol = Symbol('nonstop.headers');
export const kDistinct: unique symbol = Symbol('nonstop.headersDistinct');
export const kRawTrailers: unique symbol = Symbol('nonstop.rawTrailers');
export const kTrailers: unique symbol = Symbol('nonstop.trailers');
export const kTrailersDistinct: unique symbol = Symbol('nonstop.trailersDistinct');
export const kBody: unique symbol = Symbol('nonstop.body');
export const kBodySize: unique symbol = Symbol('nonstop.bodySize');
export const kCollector: unique symbol = Symbol('nonstop.collector');

export type Fields = Record<string, string | string[] | undefined>;

/** A request of the engine with what it keeps for itself. */
export interface OwnRequest extends EngineRequest, CollectableRequest {
  joinDuplicateHeaders: boolean;
  [kLines]: string | string[];
  /** Entries of `rawHeaders` that `headers` is made of; -1 until the lines are split. */
  [kCount]: number;
  /** Undefined on a request that is not the engine's. */
  [kConditional]?: boolean;
  [kHeaders]: Fields | null;
  [kDistinct]?: Fields;
  [kRawTrailers]: string[] | null;
  [kTrailers]?: Fields;
  [kTrailersDistinct]?: Fields;
  [kBody]: Buffer[] | null;
  [kBodySize]: number;
  [kCollector]: BodyCollector | null;
}

export function defineOwn(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
