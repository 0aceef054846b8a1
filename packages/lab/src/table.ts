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
  {
    title: 'spread',
    cell: ({ rounds, cpuSpread }) => (rounds === 1 ? 'one round' : `${Math.round(cpuSpread * 100)} %`),
  },
  { title: 'server busy', cell: ({ busy }) => `${Math.round(busy * 100)} %` },
  { title: 'RSS MB', cell: ({ rss }) => Math.round(rss / 2 ** 20).toString() },
  { title: '÷ node:http', cell: (row, rows) => share(ratio(row, rows, 'node:http') ?? ratio(row, rows, 'node:http2')) },
  { title: '÷ Express 5', cell: (row, rows) => share(ratio(row, rows, 'Express 5')) },
  {
    title: '÷ Express 4',
    cell: (row, rows) =>
      rows.some(({ contestant }) => contestant === 'Express 5') ? '' : share(ratio(row, rows, 'Express 4')),
  },
];

/** Number of columns, from the left, that are words. */
export const tableWords = 3;

/** The columns that have something in them: without `node:http`, for example, nothing is divided by it. */
const columnsFor = (rows: readonly Row[]): readonly Column[] =>
  columns.filter(({ cell }) => rows.some((row) => cell(row, rows) !== ''));

/** The rows as cells, the titles first. A column that would be empty is left out. */
export const tableCells = (rows: readonly Row[]): string[][] => cellsOf(columnsFor(rows), rows);

const cellsOf = (shown: readonly Column[], rows: readonly Row[]): string[][] => [
  shown.map(({ title }) => title),
  ...rows.map((row) => shown.map(({ cell }) => cell(row, rows))),
];

/**
 * The rows as a printable table, with failures below it. Also valid Markdown.
 *
 * @param width characters of a line, if limited; columns that do not fit are left out and named
 */
export function table(rows: readonly Row[], failures: readonly Failure[], width = Number.POSITIVE_INFINITY): string {
  return [...(rows.length > 0 ? [fittingTable(rows, width)] : []), ...failures.map(describe)].join('\n');
}

/** Columns that a narrow table leaves out, in this order. */
const dispensable = ['spread', 'server busy', 'RSS MB', 'P50 ms', 'c', 'Node', 'P99 ms', 'requests/s'];

function fittingTable(rows: readonly Row[], width: number): string {
  let shown = columnsFor(rows);
  const left: string[] = [];
  for (const title of dispensable) {
    if (lengthOf(shown, rows) <= width) break;
    if (tellsApart(title, rows)) continue;
    shown = shown.filter((column) => column.title !== title);
    left.push(title === 'Node' ? `Node (${rows[0].node})` : title);
  }
  const words = columns.slice(0, tableWords).filter((column) => shown.includes(column)).length;
  const text = textTable(cellsOf(shown, rows), words);
  return left.length === 0 ? text : `${text}\n\nNo place for: ${left.join(', ')}. The record has all of it.`;
}

const lengthOf = (shown: readonly Column[], rows: readonly Row[]): number =>
  textTable(cellsOf(shown, rows), 0).indexOf('\n');

/** Without this column rows of different Nodes, or numbers of connections, would look like repetitions. */
const tellsApart = (title: string, rows: readonly Row[]): boolean =>
  (title === 'Node' && rows.some(({ node }) => node !== rows[0].node)) ||
  (title === 'c' && rows.some(({ connections }) => connections !== rows[0].connections));

const describe = ({ node, scenario, contestant, problem }: Failure): string =>
  `\n${contestant} failed in ${scenario} on Node ${node}: ${problem}`;
