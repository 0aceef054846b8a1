import { rotated } from '../stats.js';
import type { FigureSample } from '../record.js';
import type { FigureBench } from './figures.js';

interface Taken extends Pick<FigureSample, 'figure' | 'unit'> {
  readonly contestants: readonly string[];
}

/** Takes a figure of each contestant in each round; another one is the first in each. */
export async function takeInRounds(
  bench: FigureBench,
  { contestants, figure, unit }: Taken,
  take: (contestant: string, round: number) => Promise<number>,
): Promise<void> {
  const { row, node, settings, signal } = bench;
  for (let round = 0; round < settings.rounds; round++) {
    for (const contestant of rotated(contestants, round)) {
      signal.throwIfAborted();
      bench.progress(`${contestant}, round ${round + 1} of ${settings.rounds}`);
      const value = await take(contestant, round);
      bench.onFigure({ row, contestant, node: node.version, figure, unit, round, value });
    }
  }
}
