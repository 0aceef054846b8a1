import { answerSection, publishedSection } from './answer.js';
import { boardSection, commitsSection } from './board-section.js';
import { choose, isShort, kindOf, type View } from './choose.js';
import { crudSection } from './crud-section.js';
import { html, type Html } from './html.js';
import { loadSection } from './load-section.js';
import { lookOf } from './palette.js';
import { fold, machineOf, slug, type Marks, type Section } from './parts.js';
import { provenanceSection } from './provenance.js';
import type { Reading, Stored } from './read.js';
import { scaleSection } from './scale-section.js';
import { studySection } from './study-section.js';
import { style } from './style.js';
import { counted, moment } from './words.js';

/** The order of the parts; other parts come last. */
const order = [
  'board',
  'commits',
  'study-query-api',
  'study-echo',
  'study-hello',
  'study-getter',
  'study-crud',
  'crud-browser',
  'scale',
  'app',
];

/**
 * The report as one page: the answer, published beside measured results, all details, the origin of every figure. It
 * loads no other files or scripts and needs no network.
 */
export function page(reading: Reading, made: Date): string {
  const choice = choose(reading.records);
  const shown = reading.records.filter((stored) => choice.views.some((view) => view.stored === stored));
  const marks = markWith(shown);
  const sections = sectionsOf(choice.views, marks);
  return html`<!doctype html>
    <html lang="en">
      ${head}
      <body>
        <header>
          <h1>What the lab measured</h1>
          <p>${summary(shown, made)}</p>
        </header>
        <main>
          ${answerSection(choice.views)} ${publishedSection(choice.views, marks)}
          <section id="details">
            <h2>Details</h2>
            ${contents(sections)} ${legend(choice.views)}
          </section>
          ${sections.map(detailed)}
          <section id="records">
            <h2>Where the figures come from</h2>
            ${provenanceSection(shown, choice, reading)}
          </section>
        </main>
      </body>
    </html> `.toString();
}

const head = html`<head>
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" />
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:" />
  <title>Nonstop: what the lab measured</title>
  <link rel="icon" href="data:," />
  <style>
    ${style()}
  </style>
</head>`;

const contents = (sections: readonly Section[]): Html =>
  html`<nav aria-label="Details">
    <ul>
      ${sections.map(({ id, title }) => html`<li><a href="#${slug(id)}">${title}</a></li>`)}
      <li><a href="#records">Where the figures come from</a></li>
    </ul>
  </nav>`;

const detailed = ({ id, title, lead, opens, pictures, tables }: Section): Html =>
  html`<section id="${slug(id)}">
    <h3>${title}</h3>
    ${lead} ${fold(opens, pictures)}
    <div id="table-${slug(id)}">${fold('The same as tables', tables)}</div>
  </section>`;

/** Records are numbered in the order of their starts; a figure names the number of its record. */
const markWith =
  (shown: readonly Stored[]): Marks =>
  ({ stored }) => {
    const number = shown.indexOf(stored) + 1;
    const { ended, started } = stored.record;
    const warning = ended !== 'complete' ? 'incomplete: ' : isShort(stored.record) ? 'a short run: ' : '';
    return html`<a class="mark-link" href="#r${number}">${warning}R${number}, ${moment(started)}</a>`;
  };

function sectionsOf(views: readonly View[], marks: Marks): Section[] {
  const groups = new Map<string, View[]>();
  for (const view of views) {
    const key = JSON.stringify([kindOf(view.stored.record), view.node]);
    groups.set(key, [...(groups.get(key) ?? []), view]);
  }
  const kinds = [...groups].map(([key, group]) => ({ kind: (JSON.parse(key) as [string, string])[0], group }));
  const rank = (kind: string): number => {
    const place = order.findIndex((name) => kind === name || kind.startsWith(`${name} `));
    return place < 0 ? order.length : place;
  };
  kinds.sort(
    // The newest Node first, as in the answer.
    (a, b) => rank(a.kind) - rank(b.kind) || b.group[0].node.localeCompare(a.group[0].node, 'en', { numeric: true }),
  );
  return kinds.flatMap(({ kind, group }) => sectionOf(kind, group, marks));
}

function sectionOf(kind: string, views: readonly View[], marks: Marks): Section[] {
  if (kind === 'board') return [boardSection(views, marks)];
  if (kind === 'commits') return [commitsSection(views, marks)];
  if (kind === 'study-crud' || kind === 'crud-browser') return views.map((view) => crudSection(view, marks));
  if (kind.startsWith('study-')) return views.map((view) => studySection(view, marks));
  if (kind === 'scale') return [scaleSection(views, marks)];
  return [loadSection(views, kind, marks)];
}

function summary(shown: readonly Stored[], made: Date): string {
  const machines = new Set(shown.map(machineOf));
  const commits = new Set(shown.flatMap(({ record }) => record.commit?.slice(0, 12) ?? []));
  const where = machines.size === 1 ? [...machines][0] : counted(machines.size, 'machine');
  const what =
    commits.size === 1 ? [`commit ${[...commits][0]}`] : commits.size > 1 ? [counted(commits.size, 'commit')] : [];
  return `${[counted(shown.length, 'record'), where, ...what].join('; ')}. Made ${moment(made.toISOString())}.`;
}

interface Contestant {
  readonly contestant: string;
}

/** Every contestant of the page with its colour and shape, as a legend for pictures without names. */
function legend(views: readonly View[]): Html {
  const records = [...new Set(views.map(({ stored }) => stored.record))];
  type Named = { readonly samples: readonly Contestant[]; readonly figures?: readonly Contestant[] };
  const taken = (records as unknown as readonly Named[]).flatMap(({ samples, figures = [] }) => [
    ...samples,
    ...figures,
  ]);
  const names = [...new Set(taken.map(({ contestant }) => contestant))];
  return html`<ul class="legend" aria-label="Contestants">
    ${names.map((name) => html`<li><i class="swatch c-${lookOf(name).tone}"></i>${name}</li>`)}
  </ul>`;
}
