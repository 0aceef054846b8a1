import type { Sample, Settings } from './measure.js';
import { middleSpread } from './stats.js';

/** The samples of a contestant agree when the middle half of their CPU times lies within this share of the median. */
const AGREED = 0.1;

/**
 * Whether a load needs another round: one that was planned, or one of `mostRounds` if the samples of a contestant do not agree. The ratio
 * between contestants plays no part, so that a favourable result does not end a measurement.
 *
 * @param round its number, from 0
 * @param samples those of the load so far, on one Node
 */
export function needsRound(
  round: number,
  { rounds, mostRounds = rounds }: Pick<Settings, 'rounds' | 'mostRounds'>,
  samples: readonly Pick<Sample, 'contestant' | 'cpu'>[],
): boolean {
  if (round < rounds) return true;
  return round < mostRounds && !agree(samples);
}

function agree(samples: readonly Pick<Sample, 'contestant' | 'cpu'>[]): boolean {
  return [...new Set(samples.map(({ contestant }) => contestant))].every((name) => {
    const own = samples.filter(({ contestant }) => contestant === name);
    return middleSpread(own.map(({ cpu }) => cpu)) <= AGREED;
  });
}
