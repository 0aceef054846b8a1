import type { Sample } from '../measure.js';
import { median } from '../stats.js';
import { textTable } from '../text-table.js';

/** How two builds compare in one scenario on one Node: by the pairs of one round each. */
export interface Comparison {
  readonly node: string;
  readonly scenario: string;
  readonly rounds: number;
  /** CPU per request, new as a share of old: the median over the rounds, and the extremes. */
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Compares two contestants round by round: the machine's state in a round is the same for both. */
export function compareRounds(samples: readonly Sample[], old: string, fresh: string): Comparison[] {
  const groups = new Map<string, number[]>();
  for (const sample of samples.filter(({ contestant }) => contestant === fresh)) {
    const { node, scenario, round } = sample;
    const other = samples.find(
      (candidate) =>
        candidate.contestant === old &&
        candidate.node === node &&
        candidate.scenario === scenario &&
        candidate.round === round,
    );
    if (other === undefined) continue;
    const key = JSON.stringify([node, scenario]);
    groups.set(key, [...(groups.get(key) ?? []), sample.cpu / other.cpu]);
  }
  return [...groups].map(([key, shares]) => {
    const [node, scenario] = JSON.parse(key) as [string, string];
    const extremes = { lowest: Math.min(...shares), highest: Math.max(...shares) };
    return { node, scenario, rounds: shares.length, median: median(shares), ...extremes };
  });
}

/** The verdict. It is a difference if all rounds agree on the direction; one or two rounds are too few. */
export function saying({ rounds, lowest, highest }: Comparison): string {
  if (rounds < 3) return 'too few rounds';
  return highest < 1 ? 'faster' : lowest > 1 ? 'slower' : 'no difference seen';
}

export const comparisonTable = (comparisons: readonly Comparison[], old: string): string =>
  textTable(comparisonCells(comparisons, old), 3);

/** The comparisons as cells, the titles first; three columns are words. */
export function comparisonCells(comparisons: readonly Comparison[], old: string): string[][] {
  const head = ['Node', 'row', 'verdict', `CPU ÷ ${old}`, 'lowest', 'highest', 'rounds'];
  const lines = comparisons.map((comparison) => [
    comparison.node,
    comparison.scenario,
    saying(comparison),
    ...[comparison.median, comparison.lowest, comparison.highest].map((share) => share.toFixed(3)),
    String(comparison.rounds),
  ]);
  return [head, ...lines];
}
