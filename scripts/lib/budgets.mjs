import { major } from './figures.mjs';

/**
 * @typedef {import('./figures.mjs').Figures} Figures
 * @typedef {import('./figures.mjs').Spread} Spread
 * @typedef {import('../../packages/lab/src/board/judge.js').Verdict} Verdict
 * @typedef {typeof import('../../packages/lab/src/board/judge.js')} Judge
 * @typedef {typeof import('../../packages/lab/src/board/rows.js')} Rows
 */

/**
 * The board's budgets on published figures, judged as the board judges them.
 * @param {Figures} figures
 * @param {Judge['judgeShare']} judgeShare
 * @param {Rows['boardRows']} boardRows
 * @returns {Verdict[]}
 */
export function verdictsOf({ nodes, rounds, rows, more }, judgeShare, boardRows) {
  const all = [...rows, ...more];
  return nodes.flatMap((node) =>
    boardRows.flatMap(({ name, budgets }) =>
      budgets.map((budget) => {
        const row = all.find((one) => one.name === name && one.node === major(node) && one.figure === budget.figure);
        const spread = row?.spreads[budget.against];
        const share = row && spread && { measured: row.values['Nonstop'] / row.values[budget.against], ...spread };
        return judgeShare({ row: name, node: `v${major(node)}`, budget }, share, { rounds });
      }),
    ),
  );
}

/** @param {readonly Verdict[]} verdicts @param {Verdict['verdict'][]} kinds */
const of = (verdicts, ...kinds) => verdicts.filter(({ verdict }) => kinds.includes(verdict));

/** @param {readonly Verdict[]} verdicts */
const judged = (verdicts) => of(verdicts, 'pass', 'miss', 'uncertain');

/** How many budgets are met, for README.md. @param {readonly Verdict[]} verdicts */
export function budgetSentence(verdicts) {
  const [all, met, over, between] = [
    judged(verdicts),
    of(verdicts, 'pass'),
    of(verdicts, 'miss'),
    of(verdicts, 'uncertain'),
  ];
  const link = 'docs/guide/performance.md#budgets-of-the-board';
  const parts = [
    `it meets ${met.length === all.length ? 'all' : met.length}`,
    ...(over.length > 0 ? [`[misses ${over.length}](${link})`] : []),
    ...(between.length > 0 ? [`is uncertain about ${between.length}, because the spread goes beyond the budget`] : []),
  ];
  const words = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return `Most rows of the board have budgets, limits that the project sets for itself. This run has ${all.length}, one for each row, Node and server compared: ${words}.`;
}

/** All budgets that are not met on some Node, for the page of performance. @param {Figures} figures @param {readonly Verdict[]} verdicts */
export function budgetText(figures, verdicts) {
  const all = judged(verdicts);
  const over = of(verdicts, 'miss', 'uncertain');
  const met = all.length - over.length;
  const head = `In the run of ${figures.date} (commit ${figures.commit}, ${figures.machine}) ${met} of ${all.length} budgets are met`;
  const left = leftText(verdicts);
  if (over.length === 0) return [`${head}.`, ...left].join('\n');
  const missed = of(verdicts, 'miss').length;
  const counts = `${missed} are missed and ${over.length - missed} uncertain: within the budget by the median, not by the spread`;
  const majors = figures.nodes.map(major);
  const kinds = new Map(over.map((one) => [JSON.stringify([one.row, one.figure, one.against]), one]));
  const lines = [...kinds.values()].map(({ row, figure, against }) => {
    const cells = majors.map((node) => cellOf(verdicts, { row, figure, against, node: `v${node}` }));
    return `| ${[titleOf(figures, row, figure), against === 'node:http' ? '`node:http`' : against, ...cells].join(' | ')} |`;
  });
  return [
    `${head}; ${counts}. Each cell has Nonstop's share of the other's figure, in brackets its spread over the rounds, and after the slash the most that the budget allows; a miss is bold, what is uncertain is italic. Rows that meet all their budgets are left out:`,
    '',
    `| row | ÷ | ${majors.map((node) => `Node ${node}`).join(' | ')} |`,
    `|---|---|${majors.map(() => '--:|').join('')}`,
    ...lines,
    ...left,
  ].join('\n');
}

/** The budgets that are not judged. @param {readonly Verdict[]} verdicts @returns {string[]} */
function leftText(verdicts) {
  const named = (/** @type {Verdict['verdict']} */ kind) =>
    [...new Set(of(verdicts, kind).map(({ row }) => `\`${row}\``))].join(', ');
  const [absent, few] = [named('not measured'), named('too few rounds')];
  return [
    ...(absent === '' ? [] : ['', `This run does not have the rows ${absent}; their budgets are not counted.`]),
    ...(few === '' ? [] : ['', `The rows ${few} have too few rounds; their budgets are not counted.`]),
  ];
}

/** @param {readonly Verdict[]} verdicts @param {Pick<Verdict, 'row' | 'figure' | 'against' | 'node'>} wanted */
function cellOf(verdicts, { row, figure, against, node }) {
  const found = verdicts.find(
    (one) => one.row === row && one.figure === figure && one.against === against && one.node === node,
  );
  if (found?.measured === undefined) return 'not measured';
  const { measured, most, verdict, lowest, highest } = found;
  const mark = { miss: '**', uncertain: '_' }[/** @type {string} */ (verdict)] ?? '';
  const value = verdict === 'miss' ? above(measured, most) : measured.toFixed(3);
  const spread = lowest === undefined || highest === undefined ? '' : spreadText({ lowest, highest });
  return `${mark}${value}${mark}${spread} / ${most.toFixed(2)}`;
}

/** The spread of a share, in brackets; nothing for what was counted once. @param {Omit<Spread, 'rounds'> | undefined} spread */
export const spreadText = (spread) =>
  spread === undefined || spread.lowest === spread.highest
    ? ''
    : ` (${spread.lowest.toFixed(2)}–${spread.highest.toFixed(2)})`;

/** A miss with as many digits as show that it is one. @param {number} measured @param {number} most */
function above(measured, most) {
  const digits = [3, 4, 5].find((count) => Number(measured.toFixed(count)) > most) ?? 6;
  return measured.toFixed(digits);
}

/** @param {Figures} figures @param {string} name @param {string} figure */
const titleOf = (figures, name, figure) => {
  const found = [...figures.rows, ...figures.more].find((row) => row.name === name && row.figure === figure);
  return found === undefined ? `\`${name}\`` : found.title.replace(/, bytes$|, ms$/, '');
};
