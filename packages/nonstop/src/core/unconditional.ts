import { sharedSymbol } from './shared.js';

/**
 * True on a request whose head certainly has no If-None-Match and no If-Modified-Since, and whose `headers` nobody has
 * looked at, and so not changed. Every `res.send()` asks whether the client's copy is fresh; this answers nearly all of
 * them without building `headers`.
 */
export const kUnconditional: unique symbol = sharedSymbol('unconditional') as never;

export interface MaybeConditional {
  readonly [kUnconditional]?: boolean;
}
