/** Random numbers that depend only on the seed, so that a failing run can be repeated. */
export interface Seeded {
  /** @returns a number in [0, 1) */
  next(): number;
  /** @returns a whole number in [0, below) */
  below(below: number): number;
  /** @returns one of the items */
  pick<T>(items: readonly T[]): T;
  /** @returns true with this probability */
  chance(probability: number): boolean;
}

/**
 * mulberry32: 32 bits of state, equal on every platform and version of Node. Good enough to spread cases, not for secrets.
 * @param seed any number; only its low 32 bits count
 */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)],
    chance: (probability) => next() < probability,
  };
}
