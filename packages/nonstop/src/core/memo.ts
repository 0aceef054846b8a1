import { ownString } from './strings.js';

/** Entries of one table: more than the media types of an application, few enough to drop all at once. */
const ENTRIES = 256;

/** Longer keys are computed each time, so that a client cannot fill memory with what it sends. */
const KEY_LENGTH = 128;

/**
 * Remembers the results of a pure function of one string.
 *
 * A full table is emptied, not kept in order of use: keys that a client chooses (a Content-Type field) can then cost a
 * recomputation, never memory. An error of `compute` is not remembered.
 */
export function memo<T>(compute: (key: string) => T, seed: Iterable<readonly [string, T]> = []): (key: string) => T {
  const seeds = [...seed];
  const known = new Map<string, T>(seeds);
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (key.length > KEY_LENGTH) return compute(key);
    // The key and the result may be slices of a request's head; a copy does not keep that head alive.
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
