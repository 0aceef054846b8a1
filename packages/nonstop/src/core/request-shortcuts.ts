import { sharedSymbol } from './shared.js';

/** Somebody who wants the body of a request as a whole, and not as a stream. */
export interface BodyCollector {
  /** Octets beyond which the body is left to the stream, and so to the refusal that goes with it. */
  readonly limit: number;
  /** The body arrived to its end. */
  whole(chunks: Buffer[], size: number): void;
  /** It did not, or somebody else touched the stream: whoever collects has to listen to it, from the first octet on. */
  asStream(): void;
}

/**
 * Where a request can hand over its body without becoming a stream, it has a method under this symbol; the method says
 * whether it will. Body parsers ask for it, and read the stream of every other request.
 */
export const kCollectBody: unique symbol = sharedSymbol('collectBody') as never;

/** True on a request whose body nobody has asked for yet, and that would hand it over whole. */
export const kUntouched: unique symbol = sharedSymbol('untouched') as never;

export interface CollectableRequest {
  readonly [kUntouched]?: boolean;
  [kCollectBody]?(collector: BodyCollector): boolean;
}

/**
 * True on a request whose head certainly has no If-None-Match and no If-Modified-Since, and whose `headers` nobody has
 * looked at, and so not changed. Every `res.send()` asks whether the client's copy is fresh; this answers nearly all of
 * them without building `headers`.
 */
export const kUnconditional: unique symbol = sharedSymbol('unconditional') as never;

export interface MaybeConditional {
  readonly [kUnconditional]?: boolean;
}
