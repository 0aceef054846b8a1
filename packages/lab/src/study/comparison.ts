import { ratio, type Row } from '../summary.js';
import { textTable } from '../text-table.js';
import type { Published, Study } from './studies.js';

/** A published share, and the result of the same comparison here. */
export interface Compared extends Published {
  readonly node: string;
  /** The other side of the comparison here: Express has two current versions. */
  readonly measuredAgainst: string;
  readonly measured: number;
  /** Nonstop instead of the published winner. */
  readonly nonstop: number | undefined;
}

/** Each published comparison beside the measured ones, if both sides were measured at that number of connections. */
export function compareWithPublished(study: Study, rows: readonly Row[]): Compared[] {
  const nodes = [...new Set(rows.map(({ node }) => node))];
  return nodes.flatMap((node) =>
    study.published.flatMap((published) => {
      const level = levelFor(study, published, rows);
      const here = rows.filter((row) => row.node === node && row.connections === level);
      const others = here.filter(({ contestant }) => matches(contestant, published.against));
      return others.flatMap(({ contestant: measuredAgainst }) => {
        const share = (name: string): number | undefined => {
          const row = here.find(({ contestant }) => contestant === name);
          return row && ratio(row, here, measuredAgainst, published.figure);
        };
        const measured = share(published.of);
        if (measured === undefined) return [];
        return [{ ...published, connections: level, node, measuredAgainst, measured, nonstop: share('Nonstop') }];
      });
    }),
  );
}

/** `Express` is any of them. */
const matches = (contestant: string, against: string): boolean =>
  contestant === against || (against === 'Express' && /^Express \d+$/.test(contestant));

/** A study with one level may be repeated at another; a study with several levels is compared level by level. */
const levelFor = ({ settings }: Study, { connections }: Published, rows: readonly Row[]): number =>
  settings.connections.length > 1 ? connections : (rows[0]?.connections ?? connections);

const figures = { perSecond: 'requests/s', rss: 'RSS' } as const;

export const comparisonTable = (compared: readonly Compared[]): string => textTable(comparisonCells(compared), 4);

/** The comparisons as cells, the titles first; four columns are words. */
export function comparisonCells(compared: readonly Compared[]): string[][] {
  const head = ['Node', 'figure', 'comparison', 'as published', 'c', 'published', 'measured', 'Nonstop'];
  const lines = compared.map((one) => [
    one.node,
    figures[one.figure],
    `${one.of} ÷ ${one.measuredAgainst}`,
    one.words,
    String(one.connections),
    one.share.toFixed(2),
    one.measured.toFixed(2),
    one.nonstop?.toFixed(2) ?? '',
  ]);
  return [head, ...lines];
}
