import { element, tenth, type Html, type Piece } from './html.js';
import type { Look, Shape } from './palette.js';
import { apart, logarithmic, type Scale } from './scales.js';
import { cut, label, picture, stroke, textWidth, width } from './svg.js';
import { short, tick } from './words.js';

/** The values of one contestant, from left to right. */
export interface Series {
  readonly name: string;
  readonly look: Look;
  readonly points: readonly { readonly x: number; readonly y: number; readonly low: number; readonly high: number }[];
}

export interface LineChart {
  readonly title: string;
  /** The meaning of the axes, with units. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
  readonly formatX?: (value: number) => string;
}

const height = 270;
const edges = { top: 24, bottom: height - 40, left: 40 };
const longestName = 14;

/** Lines on two logarithmic axes: equal steps are equal factors. A zero on the x axis stands apart, before a gap. */
export function lineChart({ title, x, y, series, formatX = tick }: LineChart): Html {
  const points = series.flatMap((one) => one.points);
  const right = width - Math.max(...series.map(({ name }) => textWidth(cut(name, longestName)))) - 16;
  const across = logarithmic(
    points.map((point) => point.x),
    { from: edges.left + 8, to: right },
  );
  const up = logarithmic(
    points.flatMap(({ low, high }) => [low, high]).filter((value) => value > 0),
    { from: edges.bottom - 6, to: edges.top + 6 },
  );
  return picture({ title, description: describe(x, y, series) }, height, [
    acrossAxis(across, right, formatX),
    upAxis(up, right),
    label({ x: 0, y: 12 }, 'axis', y),
    label({ x: (edges.left + right) / 2, y: height - 6, anchor: 'middle' }, 'axis', x),
    series.map((one) => line(one, across, up)),
    names(series, up, right),
  ]);
}

type Across = ReturnType<typeof logarithmic>;

function acrossAxis({ at, ticks, zero }: Across, right: number, format: (value: number) => string): Piece {
  const { top, bottom, left } = edges;
  // The axis is broken between zero and the first other value, because there is no scale between them.
  const gap = at(0) + 14;
  return [
    ticks.map((value) => [
      stroke('grid', `M${tenth(at(value))} ${top}V${bottom}`),
      label({ x: at(value), y: bottom + 14, anchor: 'middle' }, 'tick', format(value)),
    ]),
    stroke('base', `M${left} ${bottom}H${tenth(right)}`),
    zero
      ? [
          stroke('halo', `M${tenth(gap)} ${bottom}h6`),
          stroke('break', `M${tenth(gap - 1)} ${bottom + 4}l3 -8m3 8l3 -8`),
        ]
      : [],
  ];
}

const upAxis = ({ at, ticks }: Scale, right: number): Piece =>
  ticks.map((value) => [
    stroke('grid', `M${edges.left} ${tenth(at(value))}H${tenth(right)}`),
    label({ x: edges.left - 4, y: at(value) + 3.5, anchor: 'end' }, 'tick', tick(value)),
  ]);

function line({ name, look, points }: Series, across: Across, up: Scale): Html {
  const placed = points.map(({ x, y, low, high }) => ({
    y,
    at: `${tenth(across.at(x))} ${tenth(heightOf(y, up))}`,
    range: low < high ? `M${tenth(across.at(x))} ${tenth(heightOf(low, up))}V${tenth(heightOf(high, up))}` : '',
  }));
  const path = `M${placed.map(({ at }) => at).join('L')}`;
  return element(
    'g',
    { class: `line c-${look.tone}` },
    stroke('range', placed.map(({ range }) => range).join('')),
    element('path', { class: 'stroke', d: path, 'stroke-dasharray': look.dashes || undefined }),
    placed.map(({ at, y }) =>
      element(
        'path',
        { class: 'mark', d: `M${at}${shapes[look.shape]}` },
        element('title', {}, `${name}: ${short(y)}`),
      ),
    ),
  );
}

/** A value too small to measure has no logarithm: it is drawn on the axis. */
const heightOf = (value: number, up: Scale): number => (value > 0 ? up.at(value) : edges.bottom);

/** Each mark is drawn around the current point of the path. */
const shapes: Readonly<Record<Shape, string>> = {
  circle: 'm-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z',
  square: 'm-2.9 -2.9h5.8v5.8h-5.8z',
  diamond: 'm0 -4l4 4l-4 4l-4 -4z',
  up: 'm0 -3.8l3.8 6.4h-7.6z',
  down: 'm0 3.8l3.8 -6.4h-7.6z',
};

/** Names at the ends of the lines, moved apart where they would cover each other. */
function names(series: readonly Series[], up: Scale, right: number): Piece {
  const ends = series.map(({ points }) => heightOf(points.at(-1)?.y ?? 0, up));
  const places = apart(ends, 13, { from: edges.top, to: edges.bottom });
  return series.map(({ name, look }, index) => [
    stroke(
      `lead c-${look.tone}`,
      `M${tenth(right + 2)} ${tenth(ends[index])}L${tenth(right + 11)} ${tenth(places[index])}`,
    ),
    label({ x: right + 14, y: places[index] + 4 }, look.tone === 'nonstop' ? 'own' : '', cut(name, longestName)),
  ]);
}

function describe(x: string, y: string, series: readonly Series[]): string {
  const lines = series.map(({ name, points }) => {
    const [first] = points;
    const last = points.at(-1);
    return first === undefined || last === undefined ? name : `${name}: from ${short(first.y)} to ${short(last.y)}`;
  });
  return `${y} against ${x}, both axes logarithmic. ${lines.join('; ')}.`;
}
