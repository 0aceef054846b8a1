import { median, spread } from '../stats.js';
import { contestants, nameOf, spanOf, type Curve } from './curves.js';
import type { Growth, ScaleSample } from './judge.js';

/** A curve on one Node as cells, the titles first; the first column is words. */
export function curveCells(curve: Curve, samples: readonly ScaleSample[]): string[][] {
  const names = [...new Set(samples.map(({ contestant }) => contestant))];
  const costs = (name: string, at: number): number[] =>
    samples.filter((sample) => sample.contestant === name && sample.at === at).map(({ cpu }) => cpu);
  const share = (at: number, of: string): string => {
    const [own, other] = [costs('Nonstop', at), costs(of, at)];
    return own.length === 0 || other.length === 0 ? '' : shareText(median(own) / median(other));
  };
  const points = [...new Set(samples.map(({ at }) => at))].sort((a, b) => a - b);
  const lines = points.map((at) => {
    const cells = names.map((name) => {
      const values = costs(name, at);
      return values.length === 0 ? '' : `${micros(median(values))} (${Math.round(spread(values) * 100)} %)`;
    });
    const connections = samples.find((sample) => sample.at === at)?.connections ?? 0;
    return [nameOf(curve, at), String(connections), ...cells, share(at, 'node:http'), share(at, 'Express 5')];
  });
  const titles = names.map((name) => `${name} µs (spread)`);
  return [[`${curve.title}: ${curve.axis}`, 'c', ...titles, 'Nonstop ÷ node:http', '÷ Express 5'], ...lines];
}

/** The judgements as cells, the titles first; four columns are words. */
export function growthCells(growths: readonly Growth[], curves: readonly Curve[]): string[][] {
  const head = [
    'Node',
    'curve',
    'from … to',
    "Nonstop's beside node:http's",
    ...contestants,
    'added beyond it, µs',
    'growth ÷ its growth',
  ];
  const lines = growths.map(({ node, curve: name, from, to, cost, bend, factor, verdict }) => {
    const curve = curves.find((known) => known.name === name);
    const span = curve === undefined ? `${from} … ${to}` : spanOf(curve, from, to);
    const ends = contestants.map((one) => (cost[one] === undefined ? '' : growth(cost[one])));
    const added = bend === undefined ? '' : `${signed(bend.middle)} (${signed(bend.low)} … ${signed(bend.high)})`;
    const byFactor =
      factor === undefined ? '' : `×${factor.middle.toFixed(2)} (${factor.low.toFixed(2)} … ${factor.high.toFixed(2)})`;
    return [node, name, span, verdict === 'worse' ? 'WORSE' : verdict, ...ends, added, byFactor];
  });
  return [head, ...lines];
}

const growth = ([from, to]: readonly [number, number]): string =>
  `${micros(from)} → ${micros(to)}${from > 0 ? `, ×${(to / from).toFixed(2)}` : ''}`;

const micros = (value: number): string =>
  value.toLocaleString('en', {
    maximumFractionDigits: value < 100 ? 2 : 0,
    minimumFractionDigits: value < 100 ? 2 : 0,
  });

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${micros(Math.abs(value))}`;

/** Three digits if two would show no difference. */
const shareText = (value: number): string => value.toFixed(value < 0.1 ? 3 : 2);
