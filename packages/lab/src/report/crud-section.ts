import type { BrowserRecord } from '../crud/browser-record.js';
import type { CrudRecord } from '../crud/study.js';
import { control, type CrudSample } from '../crud/sample.js';
import { compareCrud, summariseCpu, summariseCrud, type CrudRow, type Times } from '../crud/summary.js';
import { comparedCells, cpuCells, crudCells } from '../crud/table.js';
import { barChart, type Bar } from './bars.js';
import { nodeOf, type View } from './choose.js';
import { html, type Html } from './html.js';
import { lookOf } from './palette.js';
import { dataTable, machineOf, panel, panels, type Marks, type Section } from './parts.js';
import type { RecordStudy } from './read.js';
import { short } from './words.js';

/** Where a time was measured, and the title of its pictures. */
const places = [
  { name: 'server', title: 'Inside the server', axis: 'milliseconds inside the server, mean ± standard deviation' },
  { name: 'client', title: 'From the client', axis: 'milliseconds for the client, mean ± standard deviation' },
] as const;

/** The record study on one Node: by the lab's own client, or from a browser. */
export function crudSection(view: View, marks: Marks): Section {
  const record = view.stored.record as RecordStudy;
  const samples = samplesOf(record, view.node);
  const cpu = ((record as Partial<CrudRecord>).cpu ?? []).filter(({ node }) => node === view.node);
  const rows = summariseCrud(samples);
  const compared = compareCrud(samples);
  const title = `Study crud${record.kind === 'crud-browser' ? ' from a browser' : ''}, Node ${view.node}`;
  const cpuRows = summariseCpu(cpu);
  const source = html`<p class="source">
    Means; the thin lines go a standard deviation to each side. Database: ${record.database}. ${machineOf(view.stored)};
    ${marks(view)}.
  </p>`;
  const pictures = html`${places.map(
    (place) =>
      html`<h4>${place.title}</h4>
        ${panels(shapePanels(rows, place, title))}`,
  )}
  ${
    cpuRows.length > 0
      ? html`<h4>CPU time of the servers</h4>
          ${panels(cpuPanels(cpuRows, title))}`
      : undefined
  }
  ${source}`;
  const tables = html`${rows.length > 0 ? dataTable(html`${title} ${marks(view)}`, crudCells(rows), 4) : undefined}
  ${cpuRows.length > 0 ? dataTable(html`${title}: CPU time ${marks(view)}`, cpuCells(cpuRows), 3) : undefined}
  ${compared.length > 0 ? dataTable(html`${title}: per cent less time, ± two standard errors ${marks(view)}`, comparedCells(compared), 4) : undefined}`;
  const lead = html`<p class="lead">
    "REST API performance comparison …" (Grudniak, Dzieńkowski 2021): four verbs on four shapes of a record, over a
    database
  </p>`;
  const opens = 'The time of each verb in the server and for the client, and the CPU time of the servers';
  return { id: `${record.kind}-${view.node}`, title, lead, opens, pictures, tables };
}

/** A browser's samples have no Node, and no server time if the server has not reported it. */
export function samplesOf(record: RecordStudy, node: string): CrudSample[] {
  const samples: readonly (BrowserRecord['samples'][number] & { readonly node?: string })[] = record.samples;
  return samples.flatMap((sample) => {
    const { serverMs } = sample;
    if (serverMs === null || nodeOf(sample, record) !== node) return [];
    return [{ ...sample, serverMs, node }];
  });
}

const barOf = (name: string, { mean, deviation }: Times): Bar => ({
  name,
  tone: lookOf(name).tone,
  value: mean,
  low: Math.max(0, mean - deviation),
  high: mean + deviation,
  text: short(mean),
});

/** In the order of the record, but with the route without a database last: it is not a shape. */
function shapesOf(rows: readonly { readonly shape: string }[]): string[] {
  const names = [...new Set(rows.map(({ shape }) => shape))];
  return names.sort((a, b) => Number(a === control) - Number(b === control));
}

/** A picture for each shape: the verbs one below another, the contestants of each together. */
function shapePanels(rows: readonly CrudRow[], { name, axis }: (typeof places)[number], title: string): Html[] {
  return shapesOf(rows).map((shape) => {
    const here = rows.filter((row) => row.shape === shape);
    const bars = here.map((row, index): Bar => {
      const heading = here[index - 1]?.verb === row.verb ? undefined : row.verb;
      return { ...barOf(row.contestant, row[name]), heading };
    });
    return panel(captionOf(shape), barChart({ title: `${title}, ${shape}`, axis, bars }));
  });
}

const captionOf = (shape: string): Html =>
  html`${shape} ${shape === control ? html`<small>without a database</small>` : undefined}`;

function cpuPanels(rows: ReturnType<typeof summariseCpu>, title: string): Html[] {
  const axis = 'µs of CPU time per request, mean ± standard deviation';
  return shapesOf(rows).map((shape) => {
    const bars = rows.filter((row) => row.shape === shape).map(({ contestant, cpu }) => barOf(contestant, cpu));
    return panel(captionOf(shape), barChart({ title: `${title}, CPU time, ${shape}`, axis, bars }));
  });
}
