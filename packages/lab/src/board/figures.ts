import type { Bench } from '../measure.js';
import type { FigureSample } from '../record.js';
import { median } from '../stats.js';
import { textTable } from '../text-table.js';

/** The settings of a row that is not a load. */
export interface FigureBench extends Bench {
  /** Name of the board's row. */
  readonly row: string;
  /** Connections of the rows `idle` and `waiting`. */
  readonly idle: number;
  readonly onFigure: (sample: FigureSample) => void;
  /** A note for the reader. */
  readonly onNote: (note: string) => void;
}

/** The figures as a table of medians. */
export const figureTable = (samples: readonly FigureSample[]): string => textTable(figureCells(samples), 4);

/** The medians of the figures as cells, the titles first; four columns are words. */
export function figureCells(samples: readonly FigureSample[]): string[][] {
  const groups = new Map<string, FigureSample[]>();
  for (const sample of samples) {
    const key = JSON.stringify([sample.node, sample.row, sample.figure, sample.contestant]);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  const lines = [...groups.values()].map((group) => {
    const [{ node, row, figure, contestant, unit }] = group;
    const middle = median(group.map(({ value }) => value));
    const digits = Number.isInteger(middle) ? 0 : 2;
    const value = middle.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return [node, row, figure, contestant, `${value} ${unit}`];
  });
  return [['Node', 'row', 'figure', 'contestant', 'median'], ...lines];
}
