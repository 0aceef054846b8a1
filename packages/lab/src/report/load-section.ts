import type { AppRecord } from '../app/app.js';
import { summarise } from '../summary.js';
import { tableCells, tableWords } from '../table.js';
import { groupsOf } from './bands.js';
import type { View } from './choose.js';
import { html } from './html.js';
import { dataTable, levelPanels, panels, samplesOf, source, type Marks, type Section } from './parts.js';
import { loadFigures } from './study-section.js';

/** A load without its own kind of section: a user's application, a head-to-head. */
export function loadSection(views: readonly View[], kind: string, marks: Marks): Section {
  const [{ node, stored }] = views;
  const { file, verdict } = stored.record as Partial<AppRecord>;
  const title = file === undefined ? `${kind}, Node ${node}` : `Application ${file}, Node ${node}`;
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
  const lead = verdict === undefined || verdict === '' ? undefined : html`<p class="lead">${verdict}</p>`;
  const opens = 'CPU time and requests per second';
  return { id: `${kind}-${node}`, title, lead, opens, pictures: html`${pictures}`, tables: html`${tables}` };
}
