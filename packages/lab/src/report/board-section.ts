import type { BoardRecord } from '../board/board.js';
import { comparisonCells, compareRounds, saying } from '../board/compare.js';
import { figureCells } from '../board/figures.js';
import { figureNames, isJudged, verdictCells, verdictCounts, type Verdict } from '../board/judge.js';
import { boardRows } from '../board/rows.js';
import type { FigureSample } from '../record.js';
import { summarise } from '../summary.js';
import { tableCells, tableWords } from '../table.js';
import { bandOf, groupsOf } from './bands.js';
import { barChart, type Bar } from './bars.js';
import type { View } from './choose.js';
import { html, type Html } from './html.js';
import { lookOf } from './palette.js';
import { loadOf } from './read.js';
import {
  contestantBars,
  dataTable,
  failuresOf,
  machineOf,
  panel,
  panels,
  samplesOf,
  withRecords,
  type Marks,
  type Section,
} from './parts.js';
import { loadFigures } from './study-section.js';
import { bytes, short, tick } from './words.js';

/** The board on one Node: a card for each workload, with the cost of a request and the result of its budgets. */
export function boardSection(views: readonly View[], marks: Marks): Section {
  const [{ node }] = views;
  const order = boardRows.map(({ name }) => name);
  const sorted = views.toSorted((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject));
  const verdicts = sorted.flatMap(verdictsOf);
  const title = `Board, Node ${node}`;
  const lead = html`${tally(verdicts)}
    <p class="lead">
      Each budget is the most that Nonstop may need, as a share of another contestant's figure in the same run. The line
      is the budget: a bar that passes it is a miss. A budget is uncertain (≈) if the median is within it and the spread
      of the rounds is not.
    </p>
    <div class="packed">${budgetPanels(verdicts, title)}</div>
    ${sources(sorted, marks)}`;
  const pictures = panels(sorted.map((view) => card(view, marks)));
  const tables = sorted.map((view) => tablesOf(view, marks));
  return {
    id: `board-${node}`,
    title,
    lead,
    opens: 'Each row: what a request costs',
    pictures,
    tables: html`${dataTable(
      html`${title}: budgets`,
      withRecords(sorted, marks, (view) => verdictCells(verdictsOf(view))),
      5,
    )}${tables}`,
  };
}

const verdictsOf = ({ stored, node, subject }: View): Verdict[] =>
  ((stored.record as Partial<BoardRecord>).verdicts ?? []).filter((one) => one.node === node && one.row === subject);

const figuresOf = ({ stored, node, subject }: View): FigureSample[] =>
  loadOf(stored).figures.filter((one) => one.node === node && one.row === subject);

/** The results of the budgets, as a strip of marks in the order of the board. */
function tally(verdicts: readonly Verdict[]): Html | undefined {
  if (verdicts.length === 0) return undefined;
  const marks = verdicts.map(
    (one) =>
      html`<i
        class="v-${slugs[one.verdict]}"
        title="${one.row}, ${figureNames[one.figure] ?? one.figure} ÷ ${one.against}: ${one.verdict}"
        >${signs[one.verdict]}</i
      >`,
  );
  return html`<p class="tally">
    <b>${verdictCounts(verdicts)}</b><span class="strip" aria-hidden="true">${marks}</span>
  </p>`;
}

const slugs = {
  pass: 'pass',
  miss: 'miss',
  uncertain: 'none',
  'not judged': 'none',
  'too few rounds': 'none',
  'not measured': 'none',
} as const;
const signs = {
  pass: '✓',
  miss: '✗',
  uncertain: '≈',
  'not judged': '–',
  'too few rounds': '–',
  'not measured': '–',
} as const;

function card(view: View, marks: Marks): Html {
  const title = boardRows.find(({ name }) => name === view.subject)?.title ?? view.subject;
  const groups = groupsOf(samplesOf(view));
  const [figure] = loadFigures;
  const bars = contestantBars(groups, failuresOf(view), figure);
  const cost = groups.length > 0 ? barChart({ title: `${title}, ${figure.name}`, axis: figure.axis, bars }) : undefined;
  const verdicts = verdictsOf(view);
  return html`<figure class="panel card">
    <figcaption>${title} ${badge(verdicts)}</figcaption>
    ${cost}${figureCharts(figuresOf(view), title)}
    <p class="source">${roundsWords(view)}. ${marks(view)}</p>
  </figure>`;
}

/** The rounds that were taken: with --most-rounds they may be more than were planned, and of an interrupted run fewer. */
function roundsWords(view: View): string {
  const taken = [...samplesOf(view), ...figuresOf(view)].map(({ round }) => round + 1);
  const most = Math.max(...taken);
  return taken.length === 0 ? 'No round' : most === 1 ? 'One round' : `Medians of ${most} rounds`;
}

function badge(verdicts: readonly Verdict[]): Html | undefined {
  const judged = verdicts.filter(isJudged);
  if (judged.length === 0) return undefined;
  const count = (kind: Verdict['verdict']): number => judged.filter(({ verdict }) => verdict === kind).length;
  const of = (kind: Verdict['verdict']): string => `${count(kind)} of ${judged.length}`;
  if (count('miss') > 0) return html`<span class="badge v-miss">✗ ${of('miss')} missed</span>`;
  return count('uncertain') > 0
    ? html`<span class="badge v-none">≈ ${of('uncertain')} uncertain</span>`
    : html`<span class="badge v-pass">✓ pass</span>`;
}

/** A picture for each figure and each other contestant: a line for each row of the board. */
function budgetPanels(verdicts: readonly Verdict[], title: string): Html[] {
  const groups = new Map<string, Verdict[]>();
  for (const one of verdicts) {
    const name = `${nameOf(one)} ÷ ${one.against}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const all = [...groups].map(([name, own]) => ({ name, own }));
  const drawn = all
    .filter(({ own }) => own.length >= 3)
    .map(({ name, own }) => ({ name, bars: own.map((one) => budgetBar(one, one.row)) }));
  // These share a picture, because one with a single bar would be mostly frame.
  const others = all.filter(({ own }) => own.length < 3).flatMap(({ own }) => own);
  const bars = others.map((one) => ({ ...budgetBar(one, nameOf(one)), heading: `${one.row} ÷ ${one.against}` }));
  return [...drawn, ...(bars.length > 0 ? [{ name: 'Other budgets', bars }] : [])].map(({ name, bars }) =>
    panel(name, budgetChart(bars, `${title}, ${name}`)),
  );
}

const nameOf = ({ figure }: Verdict): string => shortNames[figure] ?? figureNames[figure];

const budgetBar = ({ measured, most, verdict }: Verdict, name: string): Bar => ({
  name,
  tone: slugs[verdict],
  value: measured === undefined || most <= 0 ? undefined : measured / most,
  text: measured === undefined ? 'not measured' : `${measured.toFixed(2)} of ${most.toFixed(2)} ${signs[verdict]}`,
});

/** Each measured share divided by its budget, so that all budgets are at one line. */
function budgetChart(bars: readonly Bar[], title: string): Html {
  const chart = { title: `${title}, budgets`, axis: 'of the budget', bars, reference: { at: 1, label: 'budget' } };
  // All pictures have the same scale, so that the budget is at the same place; more than twice the budget is off the
  // scale.
  return barChart({ ...chart, most: 2, limit: 2, format: (value) => `${tick(value * 100)} %` });
}

/** One line for each record: the rows of a board may come from several. */
function sources(views: readonly View[], marks: Marks): Html[] {
  const records = [...new Set(views.map(({ stored }) => stored))];
  return records.map((stored) => {
    const [view] = views.filter((one) => one.stored === stored);
    return html`<p class="source">${machineOf(stored)}; ${marks(view)}.</p>`;
  });
}

const shortNames: Partial<Record<string, string>> = { cpu: 'CPU', rss: 'RSS', 'idle memory': 'memory', p99: 'P99' };

/** Rows that are not loads: memory, times, sizes. */
function figureCharts(figures: readonly FigureSample[], title: string): Html[] {
  return [...new Set(figures.map(({ figure }) => figure))].map((figure) => {
    const here = figures.filter((one) => one.figure === figure);
    const [{ unit }] = here;
    const format = unit === 'bytes' ? bytes : short;
    const bars = [...new Set(here.map(({ contestant }) => contestant))].map((name) => {
      const { middle, low, high } = bandOf(
        here.filter(({ contestant }) => contestant === name).map(({ value }) => value),
      );
      // A negative value is noise of a difference: it is printed, and its bar has no length.
      const drawn = { value: Math.max(0, middle), low: Math.max(0, low), high: Math.max(0, high) };
      return { name, tone: lookOf(name).tone, ...drawn, text: format(middle) };
    });
    const axis = unit === '' || unit === figure ? `${figure}, less is better` : `${figure}, ${unit}, less is better`;
    return barChart({ title: `${title}, ${figure}`, axis, bars, format: unit === 'bytes' ? bytes : tick });
  });
}

function tablesOf(view: View, marks: Marks): Html {
  const rows = summarise(samplesOf(view));
  const figures = figuresOf(view);
  const caption = html`${view.subject}, Node ${view.node} ${marks(view)}`;
  return html`${rows.length > 0 ? dataTable(caption, tableCells(rows), tableWords) : undefined}${
    figures.length > 0 ? dataTable(caption, figureCells(figures), 4) : undefined
  }`;
}

/** Two commits side by side, round by round. */
export function commitsSection(views: readonly View[], marks: Marks): Section {
  const [{ node }] = views;
  const title = `This checkout beside another commit, Node ${node}`;
  const compared = views.flatMap((view) => {
    const { base } = view.stored.record as BoardRecord;
    const old = `Nonstop ${String(base)}`;
    return compareRounds(samplesOf(view), old, 'Nonstop').map((comparison) => ({ comparison, old, view }));
  });
  const bars = compared.map(({ comparison: { scenario, median, lowest, highest }, comparison }) => ({
    name: scenario,
    tone: 'nonstop',
    value: median,
    low: lowest,
    high: highest,
    text: `${median.toFixed(3)} ${saying(comparison)}`,
  }));
  const chart = {
    title,
    axis: 'CPU per request, as a share of the other commit',
    bars,
    reference: { at: 1, label: 'the other' },
  };
  const pictures = html`${panels(
      bars.length > 0
        ? html`<figure class="panel">
            <figcaption>CPU per request</figcaption>
            ${barChart(chart)}
          </figure>`
        : undefined,
    )}
    <p class="source">
      Medians of the rounds, each divided by the same round of the other.
      ${[...new Set(views.map((view) => view.stored))].map((stored) => marks({ stored, node, subject: '' }))}
    </p>`;
  const tables = compared.map(({ comparison, old, view }) =>
    dataTable(html`${title} ${marks(view)}`, comparisonCells([comparison], old), 3),
  );
  return { id: `commits-${node}`, title, opens: 'CPU time per request', pictures, tables: html`${tables}` };
}
