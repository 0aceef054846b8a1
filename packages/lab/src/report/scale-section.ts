import { curves, spanOf, type Curve } from '../scale/curves.js';
import type { Growth, ScaleSample } from '../scale/judge.js';
import type { ScaleRecord } from '../scale/scale.js';
import { curveCells, growthCells } from '../scale/table.js';
import { band, cpu, groupsOf } from './bands.js';
import { barChart } from './bars.js';
import type { View } from './choose.js';
import { html, type Html } from './html.js';
import { lineChart, type Series } from './lines.js';
import { lookOf } from './palette.js';
import { contestantBars, dataTable, failuresOf, panel, panels, samplesOf, source, withRecords } from './parts.js';
import type { Marks, Section } from './parts.js';
import { loadFigures } from './study-section.js';
import { bytes, tick } from './words.js';

/** What a request costs as something grows, on one Node. */
export function scaleSection(views: readonly View[], marks: Marks): Section {
  const [{ node }] = views;
  const order = curves.map(({ name }) => name);
  const sorted = views.toSorted((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject));
  const title = `Growth, Node ${node}`;
  const lead = html`<p class="lead">
      What a request costs as something grows. Both axes are logarithmic: equal steps are equal factors. A curve bends
      worse than that of node:http when it adds more time from its first to its last point and grows by a greater factor
      too, both beyond the spread of the rounds.
    </p>
    ${verdictList(sorted)}`;
  const pictures = html`${panels(sorted.filter(isDrawn).map((view) => curveCard(view, marks)))}
  ${sorted.filter(({ subject }) => curveOf(subject).names !== undefined).map((view) => namedPoints(view, marks))}`;
  const judged = sorted.filter((view) => growthsOf(view).length > 0);
  const tables = html`${
    judged.length > 0
      ? dataTable(
          title,
          withRecords(judged, marks, (view) => growthCells(growthsOf(view), curves)),
          4,
        )
      : undefined
  }
  ${sorted.map((view) => dataTable(marks(view), curveCells(curveOf(view.subject), scaled(view)), 1))}`;
  return { id: `scale-${node}`, title, lead, opens: 'The curves', pictures, tables };
}

/** The judgements, in a line for each curve. */
const verdictList = (views: readonly View[]): Html =>
  html`<ul class="remarks columns">
    ${views.flatMap((view) =>
      growthsOf(view).map(
        (growth) =>
          html`<li>${view.subject}, ${spanOf(curveOf(view.subject), growth.from, growth.to)}: ${badge(growth)}</li>`,
      ),
    )}
  </ul>`;

/** A curve by its name; one from another version of the lab may have only that. */
const curveOf = (name: string): Curve => {
  const known = curves.find((curve) => curve.name === name);
  if (known !== undefined) return known;
  const nothing = (): never => {
    throw new Error(`${name} is not measured here`);
  };
  return { name, title: name, axis: name, points: [], quick: [], workload: nothing };
};

const scaled = (view: View): ScaleSample[] => samplesOf(view) as ScaleSample[];

/** Whether a curve has points that are amounts, with a figure above zero. */
export const isDrawn = (view: View): boolean =>
  curveOf(view.subject).names === undefined && scaled(view).some(({ at, cpu }) => at > 0 && cpu > 0);

const growthsOf = ({ stored, node, subject }: View): Growth[] =>
  ((stored.record as Partial<ScaleRecord>).growths ?? []).filter((one) => one.node === node && one.curve === subject);

function curveCard(view: View, marks: Marks): Html {
  const curve = curveOf(view.subject);
  const failed = [
    ...new Set(failuresOf(view).map(({ contestant, scenario }) => `${contestant} failed in ${scenario}`)),
  ];
  return html`<figure class="panel card">
    <figcaption>${curve.title} ${growthsOf(view).map(badge)}</figcaption>
    ${curveChart(view)} ${failed.map((line) => html`<p class="source">${line}</p>`)}${source(view, marks)}
  </figure>`;
}

export function curveChart(view: View): Html {
  const curve = curveOf(view.subject);
  return lineChart({
    title: `${curve.title}, Node ${view.node}`,
    x: curve.axis,
    y: 'µs of CPU time per request',
    series: seriesOf(scaled(view)),
    formatX: curve.bytes === true ? bytes : tick,
  });
}

function seriesOf(samples: readonly ScaleSample[]): Series[] {
  return [...new Set(samples.map(({ contestant }) => contestant))].map((name) => {
    const own = samples.filter(({ contestant }) => contestant === name);
    const places = [...new Set(own.map(({ at }) => at))].sort((a, b) => a - b);
    const points = places.map((x) => {
      const [group] = groupsOf(own.filter(({ at }) => at === x));
      const { middle, low, high } = band(group, cpu);
      return { x, y: middle, low, high };
    });
    return { name, look: lookOf(name), points };
  });
}

const badges = {
  worse: ['miss', '✗ bends worse than node:http'],
  better: ['pass', '✓ bends less than node:http'],
  'no difference seen': ['none', 'no difference from node:http seen'],
  'too few rounds': ['none', 'too few rounds to judge'],
  'not measured': ['none', 'not judged'],
} as const;

function badge({ verdict }: Growth): Html {
  const [tone, words] = badges[verdict];
  return html`<span class="badge v-${tone}">${words}</span>`;
}

/** Points that are not amounts: bars, in one picture for each. */
function namedPoints(view: View, marks: Marks): Html {
  const curve = curveOf(view.subject);
  const samples = scaled(view);
  const [figure] = loadFigures;
  const places = [...new Set(samples.map(({ at }) => at))].sort((a, b) => a - b);
  const most = Math.max(0, ...samples.map(({ cpu }) => cpu));
  const drawn = places.map((at) => {
    const here = samples.filter((sample) => sample.at === at);
    const bars = contestantBars(groupsOf(here), [], figure);
    const name = curve.names?.[at] ?? String(at);
    return panel(name, barChart({ title: `${curve.title}, ${name}`, axis: figure.axis, bars, most }));
  });
  return html`<h4>${curve.title}</h4>
    ${panels(drawn)} ${source(view, marks)}`;
}
