import type { Sample } from '../measure.js';
import { median } from '../stats.js';

/** A sample at a point of a curve. */
export interface ScaleSample extends Sample {
  readonly curve: string;
  readonly at: number;
}

/** A median and the range of the rounds. */
export interface Band {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** The added cost of a request from one point of a curve to another, compared with that on node:http. */
export interface Growth {
  readonly curve: string;
  readonly node: string;
  readonly from: number;
  readonly to: number;
  /** CPU time per request at both ends, in microseconds, by contestant. */
  readonly cost: Readonly<Record<string, readonly [from: number, to: number]>>;
  /**
   * The growth of the difference between Nonstop and node:http from beginning to end, in microseconds of CPU time per
   * request.
   */
  readonly bend: Band | undefined;
  /** Nonstop's share of node:http's cost at the end, divided by its share at the beginning: above 1 it grows by a greater factor. */
  readonly factor: Band | undefined;
  readonly verdict: 'worse' | 'no difference seen' | 'better' | 'too few rounds' | 'not measured';
}

/** Rounds that a verdict needs: one or two always agree. */
const enoughRounds = 3;

/**
 * Says whether Nonstop's curve bends worse than node:http's between two points. At both ends each round of Nonstop is
 * compared with the same round of node:http, so that changes of the machine affect both. A curve is worse if it adds more
 * time than node:http's and also grows by a greater factor, both beyond the spread: for every pair of a round at the end
 * and a round at the beginning. One condition alone would depend on the start of the curve.
 */
export function judgeGrowth(
  samples: readonly ScaleSample[],
  where: Pick<Growth, 'curve' | 'node' | 'from' | 'to'>,
): Growth {
  const { curve, node, from, to } = where;
  const here = samples.filter((sample) => sample.curve === curve && sample.node === node);
  const cost = costsAt(here, from, to);
  const [first, last] = [from, to].map((at) => pairsOf(here.filter((sample) => sample.at === at)));
  if (first.length === 0 || last.length === 0) {
    return { ...where, cost, bend: undefined, factor: undefined, verdict: 'not measured' };
  }
  const added = [first, last].map((pairs) => pairs.map(([own, other]) => own - other));
  const shares = [first, last].map((pairs) => pairs.map(([own, other]) => own / other));
  const bend = between(added, (start, end) => end - start);
  const factor = between(shares, (start, end) => end / start);
  return { ...where, cost, bend, factor, verdict: verdictOf(bend, factor, Math.min(first.length, last.length)) };
}

function verdictOf(bend: Band, factor: Band, rounds: number): Growth['verdict'] {
  if (rounds < enoughRounds) return 'too few rounds';
  if (bend.low > 0 && factor.low > 1) return 'worse';
  return bend.high < 0 && factor.high < 1 ? 'better' : 'no difference seen';
}

function costsAt(samples: readonly ScaleSample[], from: number, to: number): Record<string, [number, number]> {
  const cost: Record<string, [number, number]> = {};
  for (const name of new Set(samples.map(({ contestant }) => contestant))) {
    const ends = [from, to].map((at) => samples.filter((one) => one.contestant === name && one.at === at));
    const [first, last] = ends.map((end) => (end.length === 0 ? undefined : median(end.map(({ cpu }) => cpu))));
    if (first !== undefined && last !== undefined) cost[name] = [first, last];
  }
  return cost;
}

/** Nonstop's cost and node:http's, of each round that both took. */
function pairsOf(samples: readonly ScaleSample[]): (readonly [own: number, other: number])[] {
  return samples
    .filter(({ contestant }) => contestant === 'Nonstop')
    .flatMap((own) => {
      const other = samples.find(({ contestant, round }) => contestant === 'node:http' && round === own.round);
      return other === undefined ? [] : [[own.cpu, other.cpu] as const];
    });
}

/** Compares the values at the end with those at the beginning: the medians, and the minimum and maximum over all pairs. */
function between([first, last]: readonly number[][], how: (start: number, end: number) => number): Band {
  return {
    middle: how(median(first), median(last)),
    low: how(Math.max(...first), Math.min(...last)),
    high: how(Math.min(...first), Math.max(...last)),
  };
}
