import { comparisonCells } from '../study/comparison.js';
import { studies } from '../study/studies.js';
import type { StudyRecord } from '../study/study.js';
import { summarise } from '../summary.js';
import { tableCells, tableWords } from '../table.js';
import { band, cpu, groupsOf, perSecond } from './bands.js';
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

/** The figures of a load: on few cores the generator limits requests/s, so CPU time means more. */
export const loadFigures: readonly Figure[] = [
  { name: 'CPU per request', axis: 'µs of CPU time per request, less is better', value: cpu },
  { name: 'Requests/s', axis: 'requests per second, more is better', value: perSecond },
];

export function studySection(view: View, marks: Marks): Section {
  const record = view.stored.record as StudyRecord;
  const name = String(record.study ?? view.subject);
  const title = studies.find((study) => study.name === name)?.title ?? name;
  const heading = `Study ${name}, Node ${view.node}`;
  const compared = (record.compared ?? []).filter(({ node }) => node === view.node);
  const lead = html`<p class="lead">${title}</p>`;
  const drawn = html`${loadFigures.map((figure) => levelPanels(view, figure, heading))}${latency(view, heading)}`;
  const pictures = html`${panels(drawn)}${source(view, marks)}`;
  const rows = summarise(samplesOf(view));
  const tables = html`${dataTable(html`${heading} ${marks(view)}`, tableCells(rows), tableWords)}${
    compared.length > 0
      ? dataTable(html`${heading}: published and measured ${marks(view)}`, comparisonCells(compared), 4)
      : undefined
  }`;
  const opens = 'CPU time, requests per second and P99 at each number of connections';
  return { id: `study-${name}-${view.node}`, title: heading, lead, opens, pictures, tables };
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
