import { sharedSymbol } from './shared.js';

/**
 * The HTTP/1 prototype that an HTTP/2 prototype stands for. An application's `app.request` inherits from node's HTTP/1
 * request; an HTTP/2 request does not, so it needs a second prototype with the same members.
 */
export const kTwinOf: unique symbol = sharedSymbol('twinOf') as never;

interface MaybeTwin {
  readonly [kTwinOf]?: object;
}

/** The application's own prototype, for the prototype that a message has. */
export function originalOf(prototype: unknown): unknown {
  return (prototype as MaybeTwin | null)?.[kTwinOf] ?? prototype;
}
