import { sharedSymbol } from './shared.js';

/**
 * True on a response whose head is ASCII. node sends head and text together as UTF-8, which changes a head with other
 * characters; Express avoids this by sending a Buffer.
 */
export const kAsciiHead: unique symbol = sharedSymbol('asciiHead') as never;

/**
 * True on a response of HTTP/2 whose `end` is its own: head and body are not sent together, so that a text stays one.
 */
export const kTakesText: unique symbol = sharedSymbol('takesText') as never;

export interface MaybeAscii {
  readonly [kAsciiHead]?: boolean;
  readonly [kTakesText]?: boolean;
}
