import type { Failure, Sample } from '../measure.js';
import { band, groupsOf, type Group } from './bands.js';
import { barChart, type Bar } from './bars.js';
import { subjectOf, type View } from './choose.js';
import { html, type Html, type Piece } from './html.js';
import { lookOf } from './palette.js';
import { loadOf, type Stored } from './read.js';
import { short } from './words.js';

/** One part of the page: its pictures, and the tables with the same figures. */
export interface Section {
  /** Of the element, for links. */
  readonly id: string;
  readonly title: string;
  /** The summary of the part, always visible. */
  readonly lead?: Html;
  /** Folded below a line that opens them. */
  readonly pictures: Html;
  /** The text of that line. */
  readonly opens: string;
  readonly tables: Html;
}

/** The name of a record in the page, with a link to its details. */
export type Marks = (view: View) => Html;

/** A picture with its caption. */
export const panel = (caption: Piece, drawing: Piece): Html =>
  html`<figure class="panel">
    <figcaption>${caption}</figcaption>
    ${drawing}
  </figure>`;

export const panels = (content: Piece): Html => html`<div class="panels">${content}</div>`;

/**
 * A table in its own box, which scrolls if the page is narrower.
 *
 * @param lines cells, the titles first
 * @param words how many columns, from the left, are words; the others are numbers
 */
export function dataTable(caption: Piece, lines: readonly (readonly Piece[])[], words: number): Html {
  const [head = [], ...body] = lines;
  const align = (index: number): Html | undefined => (index < words ? undefined : html` class="number"`);
  const titles = head.map((title, index) => html`<th scope="col" ${align(index)}>${title}</th>`);
  const rows = body.map(
    (line) =>
      html`<tr>
        ${line.map((cell, index) => html`<td${align(index)}>${cell}</td>`)}
      </tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="table">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${titles}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

export interface Figure {
  readonly name: string;
  /** The axis: meaning and unit. */
  readonly axis: string;
  readonly value: (sample: Sample) => number;
}

export const samplesOf = ({ stored, node, subject }: View): Sample[] =>
  loadOf(stored).samples.filter((sample) => sample.node === node && subjectOf(sample) === subject);

export const failuresOf = ({ stored, node, subject }: View): Failure[] =>
  loadOf(stored).failures.filter((failure) => failure.node === node && subjectOf(failure) === subject);

/** Bars of one figure: a bar for each contestant, and a word for each that failed. */
export function contestantBars(groups: readonly Group[], failures: readonly Failure[], figure: Figure): readonly Bar[] {
  const bars = groups.map((group): Bar => {
    const { middle, low, high } = band(group, figure.value);
    return {
      name: group.contestant,
      tone: lookOf(group.contestant).tone,
      value: middle,
      low,
      high,
      text: short(middle),
    };
  });
  const missing = new Set(failures.map(({ contestant }) => contestant));
  for (const { name } of bars) missing.delete(name);
  return [...bars, ...[...missing].map((name) => ({ name, tone: lookOf(name).tone, text: 'failed' }))];
}

/** A picture for each number of connections, all with the same scale. */
export function levelPanels(view: View, figure: Figure, title: string): Html[] {
  const groups = groupsOf(samplesOf(view));
  const levels = [...new Set(groups.map(({ connections }) => connections))].sort((a, b) => a - b);
  const most = Math.max(0, ...groups.map((group) => band(group, figure.value).high));
  return levels.map((level) => {
    const here = groups.filter(({ connections }) => connections === level);
    const bars = contestantBars(here, failuresOf(view), figure);
    const name = `${title}, ${figure.name}, ${level} connections`;
    return panel(
      html`${figure.name} <small>${level} ${level === 1 ? 'connection' : 'connections'}</small>`,
      barChart({ title: name, axis: figure.axis, bars, most }),
    );
  });
}

/** The lines of several views in one table, each ending with its record. */
export function withRecords(
  views: readonly View[],
  marks: Marks,
  cells: (view: View) => readonly (readonly string[])[],
): Piece[][] {
  const [head = []] = views.length === 0 ? [] : cells(views[0]);
  return [
    [...head, 'record'],
    ...views.flatMap((view) =>
      cells(view)
        .slice(1)
        .map((line) => [...line, marks(view)]),
    ),
  ];
}

/** A part that is folded until a reader opens it or follows a link into it. */
export const fold = (title: Piece, content: Piece): Html =>
  html`<details>
    <summary>${title}</summary>
    ${content}
  </details>`;

/** The machine of a record, in a few words. */
export const machineOf = ({ record: { machine } }: Stored): string =>
  `${machine['processor']}, ${machine['cores']} cores, ${machine['system']}`;

/** The note below pictures: how and from what they were made. */
export function source(view: View, marks: Marks): Html {
  const { rounds, requests, seconds } = loadOf(view.stored).settings;
  const each = requests === undefined ? `${seconds} s` : `${requests.toLocaleString('en')} requests`;
  const bars = rounds === 1 ? 'One round' : `Medians of ${rounds} rounds`;
  const range = rounds === 1 ? '' : '; the thin lines go from the lowest to the highest';
  return html`<p class="source">${bars} of ${each}${range}. ${machineOf(view.stored)}; ${marks(view)}.</p>`;
}

/** A text as the id of an element. */
export const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
