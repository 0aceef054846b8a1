import type { Channel } from 'node:diagnostics_channel';
import { sharedSymbol } from '../core/shared.js';

const kNeedsNoStore: unique symbol = sharedSymbol('needsNoStore') as never;

/** Marks a subscriber that reads no AsyncLocalStorage: an answer that is followed for it alone may end in any async context. */
export const withoutStore = <T extends object>(subscriber: T): T =>
  Object.assign(subscriber, { [kNeedsNoStore]: true });

/** Whether a channel has a subscriber that may read the store of what it hears of. */
export function needsStore(channel: Channel): boolean {
  if (!channel.hasSubscribers) return false;
  const { _subscribers: all } = channel as Channel & { readonly _subscribers?: unknown };
  return !Array.isArray(all) || !all.every((one: object) => kNeedsNoStore in one);
}
