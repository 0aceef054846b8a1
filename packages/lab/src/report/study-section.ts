import type { Compared } from '../study/comparison.js';
import { comparisonCells } from '../study/comparison.js';
import { studies } from '../study/studies.js';
import type { StudyRecord } from '../study/study.js';
import { summarise } from '../summary.js';
import { tableCells, tableWords } from '../table.js';
import { band, cpu, groupsOf, perSecond } from './bands.js';
import { barChart } from './bars.js';
import type { View } from './choose.js';
import { html, type Html } from './html.js';
import { lineChart } from './lines.js';
import { lookOf } from './palette.js';
import {
  dataTable,
  levelPanels,
  panel,
  panels,
  samplesOf,
  source,
  type Figure,
  type Marks,
  type Section,
} from './parts.js';

/** What load is seen by: on few cores the generator limits requests/s, and CPU time says more. */
export const loadFigures: readonly Figure[] = [
  { name: 'CPU per request', axis: 'µs of CPU time per request, less is better', value: cpu },
  { name: 'Requests/s', axis: 'requests per second, more is better', value: perSecond },
];

/** A published study on one Node. */
export function studySection(view: View, marks: Marks): Section {
  const record = view.stored.record as StudyRecord;
  const name = String(record.study ?? view.subject);
  const title = studies.find((study) => study.name === name)?.title ?? name;
  const heading = `Study ${name}, Node ${view.node}`;
  const compared = (record.compared ?? []).filter(({ node }) => node === view.node);
  const pictures = html`<p class="lead">${title}</p>
    ${loadFigures.map((figure) => panels(levelPanels(view, figure, heading)))}${panels(latency(view, heading))}${panels(published(compared, heading))}${source(view, marks)}`;
  const rows = summarise(samplesOf(view));
  const tables = html`${dataTable(html`${heading} ${marks(view)}`, tableCells(rows), tableWords)}${
    compared.length > 0
      ? dataTable(html`${heading}: published and measured ${marks(view)}`, comparisonCells(compared), 4)
      : undefined
  }`;
  return { id: `study-${name}-${view.node}`, title: heading, pictures, tables };
}

/** P99 against the number of connections, for studies that have more than one. */
function latency(view: View, heading: string): Html | undefined {
  const groups = groupsOf(samplesOf(view));
  if (new Set(groups.map(({ connections }) => connections)).size < 2) return undefined;
  const names = [...new Set(groups.map(({ contestant }) => contestant))];
  const series = names.map((name) => ({
    name,
    look: lookOf(name),
    points: groups
      .filter(({ contestant }) => contestant === name)
      .sort((a, b) => a.connections - b.connections)
      .map((group) => {
        const { middle, low, high } = band(group, ({ p99 }) => p99);
        return { x: group.connections, y: middle, low, high };
      }),
  }));
  if (series.every(({ points }) => points.every(({ high }) => high === 0))) return undefined;
  const drawing = lineChart({ title: `${heading}, P99`, x: 'connections at once', y: 'P99, milliseconds', series });
  return panel(html`P99 against concurrency <small>both axes logarithmic</small>`, drawing);
}

const figureNames = { perSecond: 'requests/s', rss: 'memory' } as const;

/** What was published, what the same comparison comes to here, and what Nonstop comes to in the place of the winner. */
function published(compared: readonly Compared[], heading: string): Html | undefined {
  if (compared.length === 0) return undefined;
  return html`${compared.map((one) => {
    const what = `${one.of} ÷ ${one.measuredAgainst}, ${figureNames[one.figure] ?? one.figure}`;
    const bars = [
      { name: 'published', tone: 'published', value: one.share, text: one.share.toFixed(2) },
      { name: 'measured', tone: lookOf(one.of).tone, value: one.measured, text: one.measured.toFixed(2) },
      ...(one.nonstop === undefined
        ? []
        : [{ name: 'Nonstop', tone: 'nonstop', value: one.nonstop, text: one.nonstop.toFixed(2) }]),
    ];
    const most = Math.max(...compared.map(({ share, measured, nonstop = 0 }) => Math.max(share, measured, nonstop)));
    const axis = `times ${one.measuredAgainst}; published: ${one.words}`;
    const chart = { title: `${heading}, ${what}, ${one.connections} connections`, axis, bars, most };
    const reference = { at: 1, label: `${one.measuredAgainst} = 1` };
    return panel(html`${what} <small>${one.connections} connections</small>`, barChart({ ...chart, reference }));
  })}`;
}
