import { useId } from 'react';
import { axisFor, placeOf, type Axis } from '../logic/axis.js';
import { compare, compared as comparedIn, type Clock, type Compared } from '../logic/comparison.js';
import { titleOf, type Published, type Setup, type Verb } from '../logic/contract.js';
import { percent, percentWithin } from '../logic/format.js';
import type { Order, Row } from '../logic/statistics.js';
import { Grid } from './grid.js';
import { toneOf } from './tone.js';
import { useWidth } from './use-width.js';

interface PaperChartProps {
  readonly setup: Setup;
  readonly order: Order;
  readonly rows: readonly Row[];
  readonly clock: Clock;
}

/** Where one mark and its whisker reach. Those of single verbs have none: four to a lane could not be told apart. */
const endsOf = ({ verb, percent, within = 0 }: Compared): number[] =>
  verb === 'all' ? [percent - within, percent + within] : [percent];

/** Lengths in CSS pixels. */
const size = { names: 66, right: 14, heading: 24, lane: 20, foot: 40, pixelsATick: 60, mark: 5 };

/** What the paper found, as a band, and what was found here, a mark a verb. */
export function PaperChart({ setup, order, rows, clock }: PaperChartProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const id = useId();
  const published = setup.published.filter(({ shape }) => order.shapes.includes(shape));
  const compared = compare(published, rows, clock);
  const [first] = setup.published;
  if (first === undefined) return null;
  const plot = Math.max(60, width - size.names - size.right);
  const values = [...published.flatMap(({ low, high }) => [low, high]), ...compared.flatMap(endsOf)];
  const axis = axisFor(values, Math.max(2, Math.floor(plot / size.pixelsATick)));
  const groups = published.map((one) => ({ one, lanes: lanesOf(one, compared, order.contestants) }));
  const heights = groups.map(({ lanes }) => size.heading + (lanes.length + 1) * size.lane);
  const tops = heights.map((_, index) => heights.slice(0, index).reduce((sum, height) => sum + height, 0));
  const height = heights.reduce((sum, one) => sum + one, 0);
  return (
    <figure className="card chart paper">
      <figcaption id={id}>Beside the paper: how much less time than {first.against}</figcaption>
      {compared.length === 0 ? (
        <p className="quiet">
          The paper compared {first.of} with {first.against}: measure both, and what you find stands here beside it.
        </p>
      ) : (
        <Legend verbs={order.verbs} />
      )}
      <div ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={height + size.foot}
            role="img"
            aria-labelledby={id}
            aria-describedby={`${id}-text`}
          >
            <desc id={`${id}-text`}>{inWords(published, compared)}</desc>
            <g transform={`translate(${size.names} 0)`}>
              <Grid
                axis={axis}
                width={plot}
                top={size.heading - 4}
                bottom={height}
                label={percent}
                title={`less time than ${first.against}, in % of its mean`}
              />
            </g>
            {groups.map(({ one, lanes }, index) => (
              <g key={one.shape} transform={`translate(0 ${tops[index]})`}>
                <Group title={titleOf(setup, one.shape)} {...{ one, lanes, axis, plot }} />
              </g>
            ))}
          </svg>
        )}
      </div>
    </figure>
  );
}

interface Lane {
  readonly name: string;
  readonly marks: readonly Compared[];
}

/** One lane for each contestant that is compared; where several stand for the paper's other side, the first. */
function lanesOf(published: Published, compared: readonly Compared[], contestants: readonly string[]): Lane[] {
  const here = compared.filter((one) => one.published === published);
  const marks = here.filter(({ against }) => against === here[0].against);
  return comparedIn(published, contestants).map((name) => ({ name, marks: marks.filter(({ of }) => of === name) }));
}

interface GroupProps {
  readonly title: string;
  readonly one: Published;
  readonly lanes: readonly Lane[];
  readonly axis: Axis;
  readonly plot: number;
}

function Group({ title, one, lanes, axis, plot }: GroupProps) {
  const at = (value: number): number => size.names + placeOf(value, axis) * plot;
  const middle = (lane: number): number => size.heading + (lane + 0.5) * size.lane;
  return (
    <>
      <text className="verb" x={0} y={size.heading - 8}>
        {title}
      </text>
      <text className="name" x={size.names - 8} y={middle(0)} textAnchor="end" dominantBaseline="central">
        paper
      </text>
      <rect
        className="band"
        x={at(one.low) - 2}
        y={middle(0) - 6}
        width={at(one.high) - at(one.low) + 4}
        height={12}
        rx={2}
      />
      {lanes.map(({ name, marks }, lane) => (
        <g key={name}>
          <text className="name" x={size.names - 8} y={middle(lane + 1)} textAnchor="end" dominantBaseline="central">
            {name}
          </text>
          {marks.map((mark) => (
            <g key={mark.verb} style={toneOf(name)}>
              <Mark mark={mark} at={at} y={middle(lane + 1)} />
            </g>
          ))}
        </g>
      ))}
    </>
  );
}

/** A shape for each verb, for colour says the contestant. */
const outlines: Record<Verb | 'all', string> = {
  all: 'M-2 -7.5h4v15h-4z',
  POST: 'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0',
  GET: 'M-4 -4h8v8h-8z',
  PUT: 'M0 -5.5L5.2 4H-5.2z',
  DELETE: 'M0 -5.8L5.8 0L0 5.8L-5.8 0z',
};

function Mark({
  mark,
  at,
  y,
}: {
  readonly mark: Compared;
  readonly at: (percent: number) => number;
  readonly y: number;
}) {
  const [from, to = from] = endsOf(mark).map(at);
  return (
    <>
      {to > from && <line className="within" x1={from} x2={to} y1={y} y2={y} />}
      <VerbMark verb={mark.verb} x={at(mark.percent)} y={y} />
    </>
  );
}

function VerbMark({ verb, x, y }: { readonly verb: Verb | 'all'; readonly x: number; readonly y: number }) {
  return <path className="verb-mark" data-verb={verb} transform={`translate(${x} ${y})`} d={outlines[verb]} />;
}

function Legend({ verbs }: { readonly verbs: readonly Verb[] }) {
  return (
    <ul className="legend" aria-hidden="true">
      {[...verbs, ...(verbs.length > 1 ? (['all'] as const) : [])].map((verb) => (
        <li key={verb}>
          <svg width={14} height={14}>
            <VerbMark verb={verb} x={7} y={7} />
          </svg>
          {verb === 'all' ? 'all together ± two standard errors' : verb}
        </li>
      ))}
      <li>
        <svg width={22} height={14}>
          <rect className="band" y={1} width={22} height={12} rx={2} />
        </svg>
        as published
      </li>
    </ul>
  );
}

const inWords = (published: readonly Published[], compared: readonly Compared[]): string =>
  [
    ...published.map(({ shape, words }) => `Published for ${shape}: ${words}.`),
    ...compared.map(
      (one) => `${one.published.shape}, ${one.verb}, ${one.of}: ${percentWithin(one.percent, one.within)}.`,
    ),
  ].join(' ');
