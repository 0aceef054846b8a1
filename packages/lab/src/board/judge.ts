import type { Sample } from '../measure.js';
import type { FigureSample } from '../record.js';
import { textTable } from '../text-table.js';
import type { BoardRow, Budget } from './rows.js';
import { shareOf, type Rounds, type Share } from './share.js';

/** The result of a budget in one run. */
export interface Verdict {
  readonly row: string;
  readonly node: string;
  readonly figure: Budget['figure'];
  readonly against: string;
  readonly most: number;
  /** Nonstop's figure as a share of the other's, of medians; undefined when one of them was not measured. */
  readonly measured: number | undefined;
  /** The spread of that share between rounds (see {@link Share}). Records before 2026-11-27 do not have it. */
  readonly lowest?: number;
  readonly highest?: number;
  /** Uncertain: the median is within the budget, and the spread goes beyond it. */
  readonly verdict: 'pass' | 'miss' | 'uncertain' | 'not judged' | 'too few rounds' | 'not measured';
}

/** The samples of a run. */
export interface Measured {
  readonly loads: readonly Sample[];
  /** Figures that are not of loads. */
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
    const [own, other] = ['Nonstop', budget.against].map((contestant) =>
      roundsOf({ row: row.name, node, figure: budget.figure, contestant }, measured),
    );
    return judgeShare({ row: row.name, node, budget }, shareOf(own, other), measured);
  });
}

interface Place {
  readonly row: string;
  readonly node: string;
  readonly budget: Budget;
}

/**
 * Judges what was measured for one budget.
 *
 * @param share undefined if it was not measured
 */
export function judgeShare(
  { row, node, budget }: Place,
  share: Share | undefined,
  { quick, rounds }: Pick<Measured, 'quick' | 'rounds'>,
): Verdict {
  const { figure, against } = budget;
  const most = budgetOn(node, budget.most);
  const judgement = (): Verdict['verdict'] => {
    if (share === undefined) return 'not measured';
    if (quick) return 'not judged';
    if (tooFew(share.rounds, figure, rounds)) return 'too few rounds';
    if (share.measured > most) return 'miss';
    return share.highest > most ? 'uncertain' : 'pass';
  };
  const spread = share && { lowest: share.lowest, highest: share.highest };
  return { row, node, figure, against, most, measured: share?.measured, ...spread, verdict: judgement() };
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
  readonly row: string;
  readonly node: string;
  readonly figure: Budget['figure'];
  readonly contestant: string;
}

/** A figure by round. */
function roundsOf({ row, node, figure, contestant }: Wanted, { loads, figures }: Measured): Rounds {
  if (figure === 'cpu' || figure === 'rss' || figure === 'p99' || figure === 'perSecond') {
    const here = loads.filter((one) => one.scenario === row && one.node === node && one.contestant === contestant);
    return new Map(
      here.map((one) => [one.round, figure === 'perSecond' ? one.requests / one.seconds : one[figure]] as const),
    );
  }
  const here = figures.filter(
    (one) => one.row === row && one.node === node && one.figure === figure && one.contestant === contestant,
  );
  return new Map(here.map(({ round, value }) => [round, value] as const));
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
  const head = ['Node', 'row', 'figure', 'against', 'verdict', 'budget', 'measured', 'spread'];
  const lines = verdicts.map(({ node, row, figure, against, verdict, most, measured, lowest, highest }) => [
    node,
    row,
    figureNames[figure],
    against,
    verdict === 'miss' ? 'MISS' : verdict,
    `≤ ${most.toFixed(2)}`,
    measured?.toFixed(3) ?? '',
    lowest === undefined || highest === undefined ? '' : `${lowest.toFixed(3)}-${highest.toFixed(3)}`,
  ]);
  return [head, ...lines];
}

/** Whether a budget was judged; the others were not measured, or not well enough. */
export const isJudged = ({ verdict }: Pick<Verdict, 'verdict'>): boolean =>
  verdict === 'pass' || verdict === 'miss' || verdict === 'uncertain';

/** How many verdicts there are of each kind, in words. */
export function verdictCounts(verdicts: readonly Verdict[]): string {
  const count = (kind: Verdict['verdict']): number => verdicts.filter(({ verdict }) => verdict === kind).length;
  const unjudged = count('not judged');
  const few = count('too few rounds');
  const uncertain = count('uncertain');
  const words = [
    `${count('pass')} passed`,
    `${count('miss')} missed`,
    ...(uncertain > 0 ? [`${uncertain} uncertain: their median is within the budget, their spread is not`] : []),
    `${count('not measured')} not measured`,
    ...(few > 0 ? [`${few} not judged: their rounds are too few (one, or not all that were planned)`] : []),
  ];
  return unjudged > 0 ? `${unjudged} not judged: --quick shows that everything runs, not how fast` : words.join(', ');
}
