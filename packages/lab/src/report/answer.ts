import type { AppRecord } from '../app/app.js';
import type { BoardRecord } from '../board/board.js';
import { isJudged } from '../board/judge.js';
import { studies } from '../study/studies.js';
import { median } from '../stats.js';
import { ratio, summarise } from '../summary.js';
import { barChart, type Bar } from './bars.js';
import { isShort, kindOf, type View } from './choose.js';
import { html, type Html } from './html.js';
import { lookOf } from './palette.js';
import { machineOf, panel, samplesOf, slug, type Marks } from './parts.js';
import { findingsOf, type Finding, type Share } from './published.js';
import { isRecordStudy } from './read.js';
import { counted, shortFile } from './words.js';

interface Study {
  readonly name: string;
  readonly title: string;
}

/** All published comparisons, in the order of the page. */
const published: readonly Study[] = [
  ...studies,
  {
    name: 'crud',
    title:
      '"REST API performance comparison …" (Grudniak, Dzieńkowski 2021): four verbs on four shapes of a record, over a database',
  },
];

/** The answer: a line for each request of an application, for each Node of the board, and for each study. */
export function answerSection(views: readonly View[]): Html {
  const board = byNode(views.filter(({ stored }) => kindOf(stored.record) === 'board'));
  const lines = [
    ...byNode(views.filter(isApplication)).flatMap(([, own]) => own.map(applicationLine)),
    ...board.map(([node, own]) => boardLine(node, own)),
    ...published.flatMap((study) => {
      const own = viewsOf(study, views);
      return own.length === 0 ? [] : [studyLine(study, own)];
    }),
  ];
  return html`<section id="answer">
    <h2>The answer</h2>
    <ul class="answers">
      ${lines}
    </ul>
  </section>`;
}

const isApplication = ({ stored }: View): boolean => stored.record.kind === 'app';

function applicationLine({ stored, node, subject }: View): Html {
  const { file, verdict } = stored.record as Partial<AppRecord>;
  const link = html`<a href="#${slug(`${kindOf(stored.record)}-${node}`)}"
    >${file === undefined ? 'Application' : shortFile(file)}, ${subject}</a
  >`;
  return html`<li>${link}, Node ${node}: ${verdict === undefined || verdict === '' ? 'no verdict.' : verdict}</li>`;
}

function byNode(views: readonly View[]): [node: string, views: View[]][] {
  const nodes = [...new Set(views.map(({ node }) => node))].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return nodes.map((node) => [node, views.filter((view) => view.node === node)]);
}

const viewsOf = ({ name }: Study, views: readonly View[]): View[] =>
  byNode(views.filter(({ stored }) => kindOf(stored.record) === `study-${name}`)).flatMap(([, own]) => own);

const peers = ['node:http', 'Express 5', 'Fastify'];

/** Medians over all rows, those without a budget too; the row in which Nonstop is worst is named. */
function boardLine(node: string, views: readonly View[]): Html {
  const verdicts = views.flatMap(({ stored, subject }) =>
    ((stored.record as Partial<BoardRecord>).verdicts ?? []).filter((one) => one.node === node && one.row === subject),
  );
  const judged = verdicts.filter(isJudged);
  const rows = views.flatMap((view) => (isShort(view.stored.record) ? [] : summarise(samplesOf(view))));
  const own = rows.filter(({ contestant, rounds }) => contestant === 'Nonstop' && rounds > 1);
  const shares = peers.flatMap((peer) => {
    const known = own.flatMap((row) => {
      const share = ratio(row, rows, peer);
      return share === undefined ? [] : [{ row: row.scenario, share }];
    });
    if (known.length === 0) return [];
    const worst = known.reduce((most, one) => (one.share > most.share ? one : most));
    const words = known.length === 1 ? worst.row : `${known.length} rows; most in ${worst.row}: ${two(worst.share)}`;
    return [html`<b>${two(median(known.map(({ share }) => share)))}</b> of ${peer}’s (${words})`];
  });
  const missed = judged.filter(({ verdict }) => verdict === 'miss');
  const names = [...new Set(missed.map(({ row }) => row))].join(', ');
  const uncertain = judged.filter(({ verdict }) => verdict === 'uncertain').length;
  return html`<li>
    <a href="#${slug(`board-${node}`)}">Board, Node ${node}</a>:
    ${shares.length > 0 ? html`CPU time per request, as a median, is ${listed(shares)}.` : undefined}
    ${missed.length > 0 ? `${missed.length} of ${counted(judged.length, 'budget')} missed: ${names}.` : judged.length > 0 ? 'No budget is missed.' : 'No budget is judged.'}
    ${uncertain > 0 ? `${uncertain} uncertain: within the budget by the median, not by the spread.` : undefined}
  </li>`;
}

const listed = (pieces: readonly Html[]): Html =>
  html`${pieces.map((piece, index) => html`${index === 0 ? '' : index === pieces.length - 1 ? ' and ' : ', '}${piece}`)}`;

/** One published comparison of a study, the last: it has the most connections. */
function studyLine({ name }: Study, views: readonly View[]): Html {
  const link = html`<a href="#published-${name}">Study ${name}</a>`;
  const found = views.flatMap((view) => {
    const finding = findingsOf(view).findLast(({ figure }) => figure !== 'memory');
    return finding === undefined ? [] : [{ node: view.node, finding }];
  });
  if (found.length === 0) return html`<li>${link}: the contestants of the published comparison did not take part.</li>`;
  const [{ finding }] = found;
  const measured = found.map(({ node, finding: { measured } }) => html`<b>${two(measured.value)}</b> on Node ${node}`);
  const nonstop = found.flatMap(({ finding: { nonstop } }) => (nonstop ? [html`<b>${two(nonstop.value)}</b>`] : []));
  return html`<li>
    ${link}, ${finding.figure}, ${finding.where}: ${finding.of} ÷ ${finding.against} was published as
    ${two(finding.published.value)} and is
    ${listed(measured)}${nonstop.length === 0 ? '' : html`; Nonstop ÷ ${finding.against} is ${listed(nonstop)}`}.
  </li>`;
}

const two = (value: number): string => value.toFixed(2);

/**
 * The five studies, each with a picture for each Node and figure of what was published beside what was measured; undefined for a
 * report about applications only.
 */
export function publishedSection(views: readonly View[], marks: Marks): Html | undefined {
  if (views.length > 0 && views.every(isApplication)) return undefined;
  const shown = published.filter((study) => viewsOf(study, views).length > 0);
  const missing = published.filter((study) => !shown.includes(study));
  return html`<section id="published">
    <h2>Five studies: published and measured</h2>
    ${shown.map((study) => article(study, viewsOf(study, views), marks))}
    ${
      missing.length > 0
        ? html`<p class="source">
            Not measured: ${missing.map(({ name }) => name).join(', ')}.
            <code>npm run lab -- study NAME</code> measures one.
          </p>`
        : undefined
    }
  </section>`;
}

function article(study: Study, views: readonly View[], marks: Marks): Html {
  const details = views.map(
    (view) => html` <a href="#${slug(`study-${study.name}-${view.node}`)}">Details, Node ${view.node}</a>`,
  );
  const sources = views.map(
    (view) => html`<p class="source">Node ${view.node}: ${machineOf(view.stored)}; ${marks(view)}.</p>`,
  );
  const words = new Set(views.flatMap(findingsOf).map((one) => `${one.where}: ${one.words}`));
  return html`<article class="study" id="published-${study.name}">
    <div>
      <h3>${study.name}</h3>
      <p class="lead">${study.title}</p>
      ${
        words.size === 0
          ? html`<p class="lead">The contestants of the published comparison did not take part.</p>`
          : html`<p class="lead">Published, by ${unitOf(views)}:</p>
              <ul class="remarks">
                ${[...words].map((line) => html`<li>${line}</li>`)}
              </ul>`
      }
      ${sources}
      <p class="source">${details}</p>
    </div>
    <div class="panels">${views.flatMap((view) => pictures(study, view))}</div>
  </article>`;
}

const unitOf = (views: readonly View[]): string =>
  views.some(({ stored }) => isRecordStudy(stored.record)) ? 'shape of a record' : 'connections';

const axes = {
  'requests/s': (against: string) => `of ${against}’s requests per second, more is better`,
  memory: (against: string) => `of ${against}’s memory, less is better`,
  time: (against: string) => `of ${against}’s time in the server, less is better`,
} as const;

/** A picture for each figure. Memory has its own axis; beside ratios of requests its bars would be tiny. */
function pictures({ name }: Study, view: View): Html[] {
  const findings = findingsOf(view);
  return [...new Set(findings.map(({ figure, against }) => `${figure} ${against}`))].map((key) => {
    const here = findings.filter(({ figure, against }) => `${figure} ${against}` === key);
    const [{ figure, against }] = here;
    const chart = {
      title: `Study ${name}, Node ${view.node}, published and measured, ${figure}`,
      axis: axes[figure](against),
      bars: here.flatMap(bars),
      reference: { at: 1, label: `${against} = 1` },
    };
    return panel(html`${figure} <small>Node ${view.node}</small>`, barChart(chart));
  });
}

function bars({ of, where, ...shares }: Finding): Bar[] {
  const bar = (name: string, tone: string, share: Share): Bar => ({ name, tone, ...share, text: two(share.value) });
  return [
    { ...bar('published', 'published', shares.published), heading: where },
    bar(of, lookOf(of).tone, shares.measured),
    ...(shares.nonstop === undefined ? [] : [bar('Nonstop', 'nonstop', shares.nonstop)]),
  ];
}
