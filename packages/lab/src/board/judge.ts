import { median } from '../stats.js';
import type { FigureSample } from '../record.js';
import type { Row } from '../summary.js';
import { textTable } from '../text-table.js';
import type { BoardRow, Budget } from './rows.js';

/** The result of a budget in one run. */
export interface Verdict {
  readonly row: string;
  readonly node: string;
  readonly figure: Budget['figure'];
  readonly against: string;
  readonly most: number;
  /** Nonstop's figure as a share of the other's; undefined when one of them was not measured. */
  readonly measured: number | undefined;
  readonly verdict: 'pass' | 'miss' | 'not judged' | 'too few rounds' | 'not measured';
}

/** The samples of a run: loads as rows of medians, other figures as they were taken. */
export interface Measured {
  readonly loads: readonly Row[];
  readonly figures: readonly FigureSample[];
  /** Taken by --quick. */
  readonly quick?: boolean;
  /** Rounds that were planned. Without it the number of rounds is not looked at. */
  readonly rounds?: number;
}

/**
 * Compares one row of the board with its budgets on one Node.
 *
 * @param node version, such as `v24.1.0`
 * @param measured the samples; budgets are not judged by a quick run, which only checks that everything works, nor by one round, nor by fewer
 *   rounds than were planned
 */
export function judge(row: BoardRow, node: string, measured: Measured): Verdict[] {
  return row.budgets.map((budget) => {
    const { figure, against } = budget;
    const own = valueOf('Nonstop', { row, node, figure }, measured);
    const other = valueOf(against, { row, node, figure }, measured);
    // A negative value is noise: a difference of two small amounts of memory or time may be negative.
    const share =
      own === undefined || other === undefined || own.value <= 0 || other.value <= 0
        ? undefined
        : own.value / other.value;
    const most = budgetOn(node, budget.most);
    const judgement = (): Verdict['verdict'] => {
      if (share === undefined) return 'not measured';
      if (measured.quick) return 'not judged';
      if ([own, other].some((one) => one !== undefined && tooFew(one.rounds, figure, measured.rounds)))
        return 'too few rounds';
      return share <= most ? 'pass' : 'miss';
    };
    return { row: row.name, node, figure, against, most, measured: share, verdict: judgement() };
  });
}

/** One round does not show how much the rounds differ. What is counted on the disk has no rounds. */
const tooFew = (taken: number, figure: Budget['figure'], planned: number | undefined): boolean =>
  planned !== undefined && figure !== 'size' && figure !== 'packages' && taken < Math.max(2, planned);

/** A budget by the major of Node; a Node without an entry has that of the next older one. */
export function budgetOn(node: string, most: Budget['most']): number {
  if (typeof most === 'number') return most;
  const major = Number.parseInt(node.slice(1), 10);
  const majors = Object.keys(most).map(Number);
  const older = majors.filter((candidate) => candidate <= major);
  return most[older.length > 0 ? Math.max(...older) : Math.min(...majors)];
}

interface Wanted {
  readonly row: BoardRow;
  readonly node: string;
  readonly figure: Budget['figure'];
}

interface Value {
  readonly value: number;
  /** The number of rounds; the value is their median. */
  readonly rounds: number;
}

function valueOf(contestant: string, { row, node, figure }: Wanted, { loads, figures }: Measured): Value | undefined {
  switch (figure) {
    case 'cpu':
    case 'rss':
    case 'perSecond':
    case 'p99': {
      const found = loads.find(
        (load) => load.scenario === row.name && load.node === node && load.contestant === contestant,
      );
      return found && { value: found[figure], rounds: found.rounds };
    }
    case 'idle memory':
    case 'waiting memory':
    case 'loaded memory':
    case 'start':
    case 'first requests':
    case 'size':
    case 'packages': {
      const values = figures.filter(
        (sample) =>
          sample.row === row.name &&
          sample.node === node &&
          sample.figure === figure &&
          sample.contestant === contestant,
      );
      return values.length === 0
        ? undefined
        : { value: median(values.map(({ value }) => value)), rounds: values.length };
    }
  }
}

/** The name of a figure in a table. */
export const figureNames: Readonly<Record<Budget['figure'], string>> = {
  cpu: 'CPU per request',
  rss: 'RSS under load',
  perSecond: 'requests/s',
  p99: 'P99',
  'idle memory': 'memory each',
  'waiting memory': 'memory each',
  'loaded memory': 'memory under load',
  start: 'time',
  'first requests': 'CPU time',
  size: 'size',
  packages: 'packages',
};

/** The verdicts as a table, and how many there are of each kind. */
export const verdictTable = (verdicts: readonly Verdict[]): string =>
  `${textTable(verdictCells(verdicts), 5)}\n\n${verdictCounts(verdicts)}`;

/** The verdicts as cells, the titles first; five columns are words. */
export function verdictCells(verdicts: readonly Verdict[]): string[][] {
  const head = ['Node', 'row', 'figure', 'against', 'verdict', 'budget', 'measured'];
  const lines = verdicts.map(({ node, row, figure, against, verdict, most, measured }) => [
    node,
    row,
    figureNames[figure],
    against,
    verdict === 'miss' ? 'MISS' : verdict,
    `≤ ${most.toFixed(2)}`,
    measured?.toFixed(3) ?? '',
  ]);
  return [head, ...lines];
}

/** How many verdicts there are of each kind, in words. */
export function verdictCounts(verdicts: readonly Verdict[]): string {
  const count = (kind: Verdict['verdict']): number => verdicts.filter(({ verdict }) => verdict === kind).length;
  const unjudged = count('not judged');
  const few = count('too few rounds');
  const words = [
    `${count('pass')} passed`,
    `${count('miss')} missed`,
    `${count('not measured')} not measured`,
    ...(few > 0 ? [`${few} not judged: their rounds are too few (one, or not all that were planned)`] : []),
  ];
  return unjudged > 0 ? `${unjudged} not judged: --quick shows that everything runs, not how fast` : words.join(', ');
}
