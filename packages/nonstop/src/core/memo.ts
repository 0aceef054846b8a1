import { ownString } from './strings.js';

/** What one table may hold: more than the media types that an application uses, little enough to forget at once. */
const ENTRIES = 256;

/** Longer keys are computed each time: a client must not be able to make us keep what it sends. */
const KEY_LENGTH = 128;

/**
 * Remembers the results of a pure function of one string.
 *
 * The table is emptied when full rather than kept in order of use: keys that a client chooses (a Content-Type field)
 * can then cost a recomputation, never memory. What `compute` throws is not remembered.
 */
export function memo<T>(compute: (key: string) => T, seed: Iterable<readonly [string, T]> = []): (key: string) => T {
  const seeds = [...seed];
  const known = new Map<string, T>(seeds);
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (key.length > KEY_LENGTH) return compute(key);
    // The key may be a part of a request's head, and so may be what is made of it.
    const kept = ownString(key);
    const value = compute(kept);
    if (known.size >= ENTRIES) {
      known.clear();
      for (const [seedKey, seedValue] of seeds) known.set(seedKey, seedValue);
    }
    known.set(kept, value);
    return value;
  };
}
