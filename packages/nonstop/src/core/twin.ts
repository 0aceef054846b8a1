import { sharedSymbol } from './shared.js';

/**
 * On the prototype of HTTP/2 messages that stands for one of HTTP/1 messages: the latter. An application's `app.request` inherits from
 * node's HTTP/1 request, which a request of HTTP/2 is not, so that it needs a prototype of its own with the same members.
 */
export const kTwinOf: unique symbol = sharedSymbol('twinOf') as never;

interface MaybeTwin {
  readonly [kTwinOf]?: object;
}

/** The prototype that an application gave, for one that a message has. */
export function originalOf(prototype: unknown): unknown {
  return (prototype as MaybeTwin | null)?.[kTwinOf] ?? prototype;
}
