import { useId } from 'react';
import { axisFor, placeOf, type Axis } from '../logic/axis.js';
import type { Verb } from '../logic/contract.js';
import { milliseconds, withDeviation } from '../logic/format.js';
import type { Clock } from '../logic/comparison.js';
import type { Order, Row, Summary } from '../logic/statistics.js';
import type { Clocks } from './pictures.js';
import { Grid } from './grid.js';
import { toneOf } from './tone.js';
import { useWidth } from './use-width.js';

interface BarChartProps {
  readonly title: string;
  readonly order: Order;
  /** Of one shape. */
  readonly rows: readonly Row[];
  readonly clocks: Clocks;
}

/** Lengths in CSS pixels. */
const size = { names: 66, values: 96, heading: 24, bar: 11, gap: 8, gapInside: 2, foot: 40, pixelsATick: 48 };

/** The bars of one shape: verb by verb, all contestants on one axis from zero. Contestants without a sample keep their place. */
export function BarChart({ title, order, rows, clocks }: BarChartProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const id = useId();
  const shown: readonly Clock[] = clocks === 'both' ? ['client', 'server'] : [clocks];
  const plot = Math.max(60, width - size.names - size.values);
  const ends = rows.flatMap((row) => shown.map((clock) => row[clock].mean + (row[clock].deviation ?? 0)));
  const axis = axisFor(ends, Math.max(2, Math.floor(plot / size.pixelsATick)));
  const rowHeight = shown.length * size.bar + (shown.length - 1) * size.gapInside + size.gap;
  const groupHeight = size.heading + order.contestants.length * rowHeight;
  const height = order.verbs.length * groupHeight + size.foot;
  return (
    <figure className="card chart">
      <figcaption id={id}>{title}</figcaption>
      <div ref={box}>
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-labelledby={id} aria-describedby={`${id}-text`}>
            <desc id={`${id}-text`}>{inWords(rows, shown[0])} The table has all figures.</desc>
            <g transform={`translate(${size.names} 0)`}>
              {rows.length > 0 && (
                <Grid
                  axis={axis}
                  width={plot}
                  top={size.heading - 4}
                  bottom={height - size.foot}
                  label={(tick) => tick.toLocaleString('en')}
                  title="milliseconds, mean ± standard deviation"
                  titleEnd={plot + size.values}
                />
              )}
            </g>
            {order.verbs.map((verb, group) => (
              <g key={verb} transform={`translate(0 ${group * groupHeight})`}>
                <text className="verb" x={0} y={size.heading - 8}>
                  {verb}
                </text>
                {order.contestants.map((contestant, place) => (
                  <g key={contestant} transform={`translate(0 ${size.heading + place * rowHeight})`}>
                    <Contestant
                      name={contestant}
                      row={rowOf(rows, verb, contestant)}
                      shown={shown}
                      axis={axis}
                      plot={plot}
                    />
                  </g>
                ))}
              </g>
            ))}
          </svg>
        )}
      </div>
    </figure>
  );
}

const rowOf = (rows: readonly Row[], verb: Verb, contestant: string): Row | undefined =>
  rows.find((row) => row.verb === verb && row.contestant === contestant);

function inWords(rows: readonly Row[], clock: Clock): string {
  return rows
    .map((row) => `${row.verb}, ${row.contestant}: ${withDeviation(row[clock].mean, row[clock].deviation)} ms.`)
    .join(' ');
}

interface ContestantProps {
  readonly name: string;
  readonly row: Row | undefined;
  readonly shown: readonly Clock[];
  readonly axis: Axis;
  readonly plot: number;
}

function Contestant({ name, row, shown, axis, plot }: ContestantProps) {
  const all = shown.length * size.bar + (shown.length - 1) * size.gapInside;
  return (
    <>
      <text className="name" x={size.names - 8} y={all / 2} textAnchor="end" dominantBaseline="central">
        {name}
      </text>
      {row !== undefined &&
        shown.map((clock, place) => (
          <g key={clock} transform={`translate(${size.names} ${place * (size.bar + size.gapInside)})`}>
            <Bar summary={row[clock]} outlined={clock === 'server' && shown.length > 1} {...{ name, axis, plot }} />
          </g>
        ))}
    </>
  );
}

/** Drawn twice: the first, wider, keeps it readable on a bar of any colour. */
function Whisker({ from, to, middle, open }: { from: number; to: number; middle: number; open: boolean }) {
  const path = `M${from} ${middle}H${to}M${to} ${middle - 3}v6${open ? '' : `M${from} ${middle - 3}v6`}`;
  return (
    <>
      <path className="whisker halo" d={path} />
      <path className="whisker" d={path} />
    </>
  );
}

interface BarProps {
  readonly name: string;
  readonly summary: Summary;
  readonly outlined: boolean;
  readonly axis: Axis;
  readonly plot: number;
}

function Bar({ name, summary, outlined, axis, plot }: BarProps) {
  const { mean, deviation, count } = summary;
  const at = (value: number): number => Math.max(0, placeOf(value, axis)) * plot;
  const middle = size.bar / 2;
  const [from, to] = [at(mean - (deviation ?? 0)), at(mean + (deviation ?? 0))];
  return (
    <>
      <rect
        className={outlined ? 'bar outlined' : 'bar'}
        style={toneOf(name)}
        data-count={count}
        x={outlined ? 0.75 : 0.5}
        y={outlined ? 0.75 : 0}
        width={Math.max(1, at(mean) - (outlined ? 1.5 : 0.5))}
        height={size.bar - (outlined ? 1.5 : 0)}
      />
      {deviation !== undefined && <Whisker from={from} to={to} middle={middle} open={deviation > mean} />}
      <text className="value" x={plot + size.values} y={middle} textAnchor="end" dominantBaseline="central">
        <tspan className="mean">{milliseconds(mean)}</tspan>
        {deviation !== undefined && ` ${withDeviation(mean, deviation).slice(milliseconds(mean).length + 1)}`}
      </text>
    </>
  );
}
