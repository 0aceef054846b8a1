import type { AppRecord } from '../app/app.js';
import { summarise } from '../summary.js';
import { tableCells, tableWords } from '../table.js';
import { groupsOf } from './bands.js';
import type { View } from './choose.js';
import { html, type Html } from './html.js';
import { dataTable, levelPanels, panels, samplesOf, source, type Marks, type Section } from './parts.js';
import { loadFigures } from './study-section.js';
import { shortFile } from './words.js';

/** A load without its own kind of section: a user's application, a head-to-head. */
export function loadSection(views: readonly View[], kind: string, marks: Marks): Section {
  const [{ node, stored }] = views;
  const { file } = stored.record as Partial<AppRecord>;
  const title = file === undefined ? `${kind}, Node ${node}` : `Application ${shortFile(file)}, Node ${node}`;
  const pictures = views.map((view) => {
    const drawn = groupsOf(samplesOf(view)).length > 0;
    return html`<h4>${view.subject}</h4>
      ${drawn ? panels(loadFigures.map((figure) => levelPanels(view, figure, view.subject))) : html`<p>Nothing was measured.</p>`}${source(view, marks)}`;
  });
  const tables = views.map((view) => {
    const rows = summarise(samplesOf(view));
    return rows.length > 0
      ? dataTable(html`${title}: ${view.subject} ${marks(view)}`, tableCells(rows), tableWords)
      : undefined;
  });
  const lead = html`${views.map((view) => verdictOf(view, views.length > 1))}`;
  const opens = 'CPU time and requests per second';
  return { id: `${kind}-${node}`, title, lead, opens, pictures: html`${pictures}`, tables: html`${tables}` };
}

/** The verdict on an application's request, and what the run has noted: how the CPU time is shared, memory that is not freed. */
function verdictOf({ stored, subject }: View, several: boolean): Html | undefined {
  const { verdict, notes } = stored.record as Partial<AppRecord>;
  if (verdict === undefined || verdict === '') return undefined;
  const lines = (notes ?? []).map((line) => html`<li>${line}</li>`);
  return html`<p class="lead">${several ? `${subject}: ` : ''}${verdict}</p>
    ${
      lines.length > 0
        ? html`<ul class="remarks">
            ${lines}
          </ul>`
        : undefined
    }`;
}
