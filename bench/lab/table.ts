import type { Failure } from './measure.js';
import { ratio, type Row } from './summary.js';
import { textTable } from './text-table.js';

interface Column {
  readonly title: string;
  readonly cell: (row: Row, rows: readonly Row[]) => string;
}

const share = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2));

const columns: readonly Column[] = [
  { title: 'Node', cell: ({ node }) => node },
  { title: 'workload', cell: ({ scenario }) => scenario },
  { title: 'contestant', cell: ({ contestant }) => contestant },
  { title: 'c', cell: ({ connections }) => String(connections) },
  { title: 'requests/s', cell: ({ perSecond }) => Math.round(perSecond).toLocaleString('en') },
  { title: 'P50 ms', cell: ({ p50 }) => p50.toFixed(2) },
  { title: 'P99 ms', cell: ({ p99 }) => p99.toFixed(2) },
  { title: 'CPU µs/request', cell: ({ cpu }) => cpu.toFixed(2) },
  { title: 'spread', cell: ({ cpuSpread }) => `${Math.round(cpuSpread * 100)} %` },
  { title: 'server busy', cell: ({ busy }) => `${Math.round(busy * 100)} %` },
  { title: 'RSS MB', cell: ({ rss }) => Math.round(rss / 2 ** 20).toString() },
  { title: '÷ node:http', cell: (row, rows) => share(ratio(row, rows, 'node:http')) },
  { title: '÷ Express 5', cell: (row, rows) => share(ratio(row, rows, 'Express 5')) },
];

/** So many columns, from the left, are words. */
export const tableWords = 3;

/** The rows as cells, the titles first. */
export const tableCells = (rows: readonly Row[]): string[][] => [
  columns.map(({ title }) => title),
  ...rows.map((row) => columns.map(({ cell }) => cell(row, rows))),
];

/** The rows as a table for people, with what failed below it. Also valid Markdown. */
export function table(rows: readonly Row[], failures: readonly Failure[]): string {
  return [...(rows.length > 0 ? [textTable(tableCells(rows), tableWords)] : []), ...failures.map(describe)].join('\n');
}

const describe = ({ node, scenario, contestant, problem }: Failure): string =>
  `\n${contestant} failed in ${scenario} on Node ${node}: ${problem}`;
