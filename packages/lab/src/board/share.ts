import { median, medianInterval } from '../stats.js';

/** A figure of a contestant by round. */
export type Rounds = ReadonlyMap<number, number>;

/** Nonstop's figure as a share of another's. */
export interface Share {
  /** Of the medians. */
  readonly measured: number;
  /** The median of the rounds' shares lies between these two with a certainty of 93 %, if there are five rounds or more. */
  readonly lowest: number;
  readonly highest: number;
  /** Rounds that both have, with figures above zero. */
  readonly rounds: number;
}

/**
 * Compares the figures of two contestants. The spread is that of pairs of the same round, because the machine is in one state then.
 *
 * @returns undefined if they have no round in common with figures above zero, or a median is not above zero
 */
export function shareOf(own: Rounds, other: Rounds): Share | undefined {
  const shares = [...own].flatMap(([round, value]) => {
    const beside = other.get(round);
    // Noise: a difference of two small amounts of memory or time may be negative.
    return beside === undefined || value <= 0 || beside <= 0 ? [] : [value / beside];
  });
  if (shares.length === 0) return undefined;
  const [mine, theirs] = [own, other].map((rounds) => median([...rounds.values()]));
  if (mine <= 0 || theirs <= 0) return undefined;
  const [lowest, highest] = medianInterval(shares);
  return { measured: mine / theirs, lowest, highest, rounds: shares.length };
}
