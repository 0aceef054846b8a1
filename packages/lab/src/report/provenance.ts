import type { BenchRecord, RunRecord } from '../record.js';
import { endings, isShort, nodeOf, type Choice } from './choose.js';
import { html, type Html, type Piece } from './html.js';
import type { Reading, Stored } from './read.js';
import { fold } from './parts.js';
import { counted, moment } from './words.js';

/** The origin of the figures: each shown record with its details, then the records that are not shown. */
export function provenanceSection(shown: readonly Stored[], choice: Choice, reading: Reading): Html {
  const left = choice.left.map(
    ({ stored: { file, record }, reason }) =>
      html`<li><code>${file}</code>: ${record.kind}, ${moment(record.started)}; ${reason}</li>`,
  );
  return html`${shown.map((stored, index) => recordCard(stored, index + 1))}${
    left.length > 0
      ? html`<h3>Records that are not shown</h3>
          <ul class="files">
            ${left}
          </ul>`
      : undefined
  }${
    reading.skipped.length > 0
      ? html`<h3>Files that are no records</h3>
          <ul class="files">
            ${reading.skipped.map((line) => html`<li>${line}</li>`)}
          </ul>`
      : undefined
  }`;
}

function recordCard({ file, record }: Stored, number: number): Html {
  const rows = rowsOf(file, record).filter(([, value]) => value !== undefined && value !== '');
  const { failures = [] } = record as Partial<BenchRecord>;
  const failed = failures.map(
    ({ contestant, scenario, node, problem }) => `${contestant} in ${scenario} on Node ${node}: ${problem}`,
  );
  const said = html`<section class="record" id="r${number}">
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${remarks('Notes', record.notes)}${remarks('Failures', failed)}
  </section>`;
  return fold(html`R${number} <small>${record.kind}, ${moment(record.started)}</small>`, said);
}

/** The details of a record; not every kind has all of them. */
function rowsOf(file: string, record: RunRecord): readonly (readonly [name: string, value: Piece])[] {
  const { machine, versions, commit, ended } = record;
  const { generator, cores, settings, samples = [], figures = [] } = record as Partial<BenchRecord>;
  const { database, file: application } = record as { readonly database?: unknown; readonly file?: string };
  const nodes = [...new Set([...samples, ...figures].map((one) => nodeOf(one, record)))];
  return [
    ['file', html`<code>${file}</code>`],
    ['application', application === undefined ? undefined : html`<code>${application}</code>`],
    ['kind', record.kind],
    ['started', moment(record.started)],
    ['ended', html`${endings[ended]}${isShort(record) ? '; a short run, whose numbers mean little' : ''}`],
    ['commit', html`<code>${commit ?? 'unknown'}</code>`],
    ['Node', nodes.join(', ')],
    ['machine', pairs(machine)],
    ['cores', cores && coresOf(cores)],
    ['versions', pairs(versions)],
    ['generator', generator && `${generator.name} ${generator.version}`],
    ['database', typeof database === 'string' ? database : undefined],
    ['settings', pairs((settings ?? {}) as unknown as Record<string, unknown>)],
    ['measured', measured(samples.length, figures.length)],
  ];
}

const measured = (samples: number, figures: number): string =>
  [counted(samples, 'sample'), ...(figures > 0 ? [counted(figures, 'other figure')] : [])].join(', ');

/** Named values of any kind in one line: a record may have members that this version of the lab does not know. */
const pairs = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const coresOf = ({ server, generator }: BenchRecord['cores']): string =>
  server === undefined ? 'not held on cores' : `server on core ${server}, generator on core ${generator ?? 'any'}`;

const remarks = (title: string, lines: readonly string[]): Html | undefined =>
  lines.length > 0
    ? html`<h3>${title}</h3>
        <ul class="remarks">
          ${lines.map((line) => html`<li>${line}</li>`)}
        </ul>`
    : undefined;
