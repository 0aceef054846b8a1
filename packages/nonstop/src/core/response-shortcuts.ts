import { sharedSymbol } from './shared.js';

/**
 * True on a response whose head is certainly ASCII. A text that is sent with any other head makes all of it UTF-8, under node too;
 * Express does not do that, for it sends octets.
 */
export const kAsciiHead: unique symbol = sharedSymbol('asciiHead') as never;

export interface MaybeAscii {
  readonly [kAsciiHead]?: boolean;
}
