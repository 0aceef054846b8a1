import { element, tenth, type Html } from './html.js';
import { fromZero, type Scale } from './scales.js';
import { cut, label, picture, stroke, textWidth, width } from './svg.js';
import { tick } from './words.js';

/** One bar, with the range of what was measured. Without a value there is only the text, for a contestant that failed. */
export interface Bar {
  readonly name: string;
  /** Its class in the style sheet. */
  readonly tone: string;
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
  /** Stands at the right. */
  readonly text: string;
  /** Begins a group of bars: stands above it. */
  readonly heading?: string;
}

export interface BarChart {
  readonly title: string;
  /** What the axis shows, with its unit. */
  readonly axis: string;
  readonly bars: readonly Bar[];
  /** The minimum end of the axis; charts that are compared share it. */
  readonly most?: number;
  /** The fixed end of the axis: a longer bar is cut off and drawn open. */
  readonly limit?: number;
  /** A line across all bars, and its meaning. */
  readonly reference?: { readonly at: number; readonly label: string };
  /** The format of a number beside the axis. */
  readonly format?: (value: number) => string;
}

const rowHeight = 21;
const thickness = 12;
const longestName = 23;

/** Bars from zero, one below another, each with its name, its value and, if known, the range of its rounds. */
export function barChart(chart: BarChart): Html {
  const { title, axis, bars, reference, format = tick } = chart;
  const highest = Math.max(...bars.map(({ value = 0, high = value }) => high), chart.most ?? 0, reference?.at ?? 0);
  const left = Math.max(...bars.map(({ name }) => textWidth(cut(name, longestName)))) + 8;
  const right = width - Math.max(...bars.map(({ text }) => textWidth(text))) - 10;
  const scale = fromZero(
    Math.min(highest, chart.limit ?? highest),
    { from: left, to: right },
    right - left > 170 ? 4 : 3,
  );
  const top = reference === undefined ? 4 : 18;
  // A heading takes a row of its own.
  const rows = bars.map((_, index) => index + bars.slice(0, index + 1).filter(({ heading }) => heading).length);
  const extent = { top, bottom: top + ((rows.at(-1) ?? -1) + 1) * rowHeight + 2 };
  const description = `${axis}. ${bars.map(({ heading, name, text }) => `${heading === undefined ? '' : `${heading}, `}${name}: ${text}`).join('; ')}.`;
  return picture({ title, description }, extent.bottom + 34, [
    grid(scale, extent, format),
    bars.map((bar, index) => row(bar, top + rows[index] * rowHeight, { scale, left })),
    referenceLine(
      reference,
      scale,
      extent,
      bars.flatMap(({ heading }, index) => (heading === undefined ? [] : [top + rows[index] * rowHeight])),
    ),
    label({ x: within((left + right) / 2, axis), y: extent.bottom + 29, anchor: 'middle' }, 'axis', axis),
  ]);
}

/** The middle of a text, placed so that the whole text is in the picture. */
function within(middle: number, text: string): number {
  const half = Math.min(textWidth(text), width) / 2;
  return Math.min(Math.max(middle, half), width - half);
}

interface Extent {
  readonly top: number;
  readonly bottom: number;
}

function grid({ ticks, at }: Scale, { top, bottom }: Extent, format: (value: number) => string): Html[] {
  return ticks.flatMap((value) => [
    stroke('grid', `M${tenth(at(value))} ${top}V${bottom}`),
    label({ x: at(value), y: bottom + 13, anchor: 'middle' }, 'tick', format(value)),
  ]);
}

function row(bar: Bar, y: number, { scale, left }: { readonly scale: Scale; readonly left: number }): Html {
  const { name, tone, value, text } = bar;
  const middle = y + rowHeight / 2;
  const words = [
    bar.heading === undefined ? [] : label({ x: 0, y: y - 5 }, 'heading', bar.heading),
    element('title', {}, `${name}: ${text}`),
    label({ x: 0, y: middle + 4 }, tone === 'nonstop' ? 'own' : '', cut(name, longestName)),
    label({ x: width, y: middle + 4, anchor: 'end' }, value === undefined ? 'failed' : 'value', text),
  ];
  if (value === undefined) return element('g', {}, words);
  const end = scale.at(scale.ticks.at(-1) ?? 0);
  const length = Math.min(Math.max(0.5, scale.at(value) - left), end - left);
  const box = { x: left, y: middle - thickness / 2, width: length, height: thickness, rx: 2 };
  const cutOff = scale.at(value) > end + 0.5 ? stroke('cut', `M${tenth(end - 8)} ${middle + 8}l4 -16m4 0l-4 16`) : [];
  return element(
    'g',
    {},
    words,
    element('rect', { class: `bar c-${tone}`, ...box }),
    cutOff,
    whisker(scale, middle, bar),
  );
}

/** From the lowest to the highest of the rounds. */
function whisker({ at }: Scale, middle: number, { low, high }: Bar): Html[] {
  if (low === undefined || high === undefined || low === high) return [];
  const [from, to] = [tenth(at(low)), tenth(at(high))];
  const line = `M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8`;
  return [stroke('halo', line), stroke('whisker', line)];
}

/** @param below the lower edges of the headings, which the line leaves out */
function referenceLine(
  reference: BarChart['reference'],
  scale: Scale,
  { top, bottom }: Extent,
  below: readonly number[],
): Html[] {
  if (reference === undefined) return [];
  const x = scale.at(reference.at);
  const from = [top - 4, ...below];
  const to = [...below.map((edge) => edge - rowHeight), bottom];
  const pieces = from.map((start, index) => `M${tenth(x)} ${start}V${to[index]}`);
  return [stroke('reference', pieces.join('')), label({ x, y: top - 7, anchor: 'middle' }, 'tick', reference.label)];
}
