import { cpuUnit, major } from './figures.mjs';

/**
 * @typedef {import('./figures.mjs').Figures} Figures
 * @typedef {import('../../packages/lab/src/board/judge.js').Verdict} Verdict
 * @typedef {typeof import('../../packages/lab/src/board/judge.js')} Judge
 * @typedef {typeof import('../../packages/lab/src/board/rows.js')} Rows
 */

/** The figures of rows that are not loads, as the budgets call them. @type {Record<string, string>} */
const figureOf = { idle: 'idle memory', start: 'start' };

/** @param {Figures} figures */
const rowsOf = ({ rows, more = [], floor = [] }) => [...rows, ...more, ...floor];

/**
 * The board's budgets on published figures, judged as the board judges them.
 * @param {Figures} figures
 * @param {Judge['judge']} judge
 * @param {Rows['boardRows']} boardRows
 * @returns {Verdict[]}
 */
export function verdictsOf(figures, judge, boardRows) {
  const taken = rowsOf(figures).flatMap(({ name, node, unit, values }) =>
    Object.entries(values).map(([contestant, value]) => ({ name, node: `v${node}`, unit, contestant, value })),
  );
  const loads = taken
    .filter(({ unit }) => unit === cpuUnit)
    .map(({ name, node, contestant, value }) => ({ scenario: name, node, contestant, cpu: value }));
  const others = taken
    .filter(({ unit }) => unit !== cpuUnit)
    .map(({ name, ...rest }) => ({ row: name, figure: figureOf[name], ...rest }));
  // A published figure has only the parts that the budgets need.
  const measured = /** @type {import('../../packages/lab/src/board/judge.js').Measured} */ (
    /** @type {unknown} */ ({ loads, figures: others })
  );
  return figures.nodes.flatMap((node) => boardRows.flatMap((row) => judge(row, `v${major(node)}`, measured)));
}

/** @param {readonly Verdict[]} verdicts */
const judged = (verdicts) => verdicts.filter(({ verdict }) => verdict === 'pass' || verdict === 'miss');

/** @param {readonly Verdict[]} verdicts */
const missed = (verdicts) => verdicts.filter(({ verdict }) => verdict === 'miss');

/** How many budgets are met, for README.md. @param {readonly Verdict[]} verdicts */
export function budgetSentence(verdicts) {
  const all = judged(verdicts).length;
  const over = missed(verdicts).length;
  const link = 'docs/guide/performance.md#budgets-of-the-board';
  const rest = over === 0 ? 'all' : `${all - over} and [misses ${over}](${link})`;
  return `Most rows of the board have budgets, limits that the project sets for itself. This run has ${all}, one for each row, Node and server compared: it meets ${rest}.`;
}

/** All budgets that are missed on some Node, for the page of performance. @param {Figures} figures @param {readonly Verdict[]} verdicts */
export function budgetText(figures, verdicts) {
  const all = judged(verdicts);
  const over = missed(verdicts);
  const head = `In the run of ${figures.date} (commit ${figures.commit}, ${figures.machine}) ${all.length - over.length} of ${all.length} budgets are met`;
  const absent = [...new Set(verdicts.filter(({ verdict }) => verdict === 'not measured').map(({ row }) => row))];
  const names = absent.map((row) => `\`${row}\``).join(', ');
  const left =
    absent.length === 0
      ? []
      : ['', `The published figures do not have the rows ${names}; their budgets are not counted.`];
  if (over.length === 0) return [`${head}.`, ...left].join('\n');
  const majors = figures.nodes.map(major);
  const kinds = new Map(over.map((one) => [JSON.stringify([one.row, one.against]), one]));
  const lines = [...kinds.values()].map(({ row, against }) => {
    const cells = majors.map((node) => cellOf(verdicts, { row, against, node: `v${node}` }));
    return `| ${[titleOf(figures, row), against === 'node:http' ? '`node:http`' : against, ...cells].join(' | ')} |`;
  });
  return [
    `${head}; ${over.length} are missed. Each cell has Nonstop's share of the other's figure, and after the slash the most that the budget allows; a miss is bold:`,
    '',
    `| row | ÷ | ${majors.map((node) => `Node ${node}`).join(' | ')} |`,
    `|---|---|${majors.map(() => '--:|').join('')}`,
    ...lines,
    ...left,
  ].join('\n');
}

/** @param {readonly Verdict[]} verdicts @param {{ row: string, against: string, node: string }} wanted */
function cellOf(verdicts, wanted) {
  const found = verdicts.find(
    ({ row, against, node }) => row === wanted.row && against === wanted.against && node === wanted.node,
  );
  if (found?.measured === undefined) return 'not measured';
  const { measured, most, verdict } = found;
  return verdict === 'miss'
    ? `**${above(measured, most)}** / ${most.toFixed(2)}`
    : `${measured.toFixed(3)} / ${most.toFixed(2)}`;
}

/** A miss with as many digits as show that it is one. @param {number} measured @param {number} most */
function above(measured, most) {
  const digits = [3, 4, 5].find((count) => Number(measured.toFixed(count)) > most) ?? 6;
  return measured.toFixed(digits);
}

/** @param {Figures} figures @param {string} name */
const titleOf = (figures, name) => {
  // The rows of the floor are called after its contestant.
  const found = [...figures.rows, ...(figures.more ?? [])].find((row) => row.name === name);
  return found === undefined ? `\`${name}\`` : found.title.replace(/, bytes$|, ms$/, '');
};
