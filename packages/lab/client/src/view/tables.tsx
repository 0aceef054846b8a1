import type { ReactNode } from 'react';
import { compare, type Clock, type Compared } from '../logic/comparison.js';
import { titleOf, type Setup, type Verb } from '../logic/contract.js';
import { milliseconds, percentWithin } from '../logic/format.js';
import type { Row, Summary } from '../logic/statistics.js';
import { toneOf } from './tone.js';

interface TableProps {
  readonly setup: Setup;
  readonly rows: readonly Row[];
}

/** A table that scrolls in a box of its own where it is too wide; the box can be reached by keyboard. */
function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
    <section className="card scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** All figures, a line a bar. */
export function ResultTable({ setup, rows }: TableProps) {
  const shapes = [...new Set(rows.map(({ shape }) => shape))];
  return (
    <Scroll label="Times, in milliseconds">
      <table className="times">
        <caption>Times of a request, in milliseconds</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              Verb
            </th>
            <th scope="col" rowSpan={2}>
              Contestant
            </th>
            <th scope="col" rowSpan={2} className="number">
              Samples
            </th>
            <th scope="colgroup" colSpan={5}>
              Client
            </th>
            <th scope="colgroup" colSpan={3}>
              Server
            </th>
          </tr>
          <tr>
            {['mean', '± deviation', 'median', 'least', 'most', 'mean', '± deviation', 'median'].map((name, place) => (
              <th key={`${place} ${name}`} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {shapes.map((shape) => (
          <tbody key={shape}>
            <tr>
              <th scope="rowgroup" colSpan={11}>
                {titleOf(setup, shape)}
              </th>
            </tr>
            {rows
              .filter((row) => row.shape === shape)
              .map((row) => (
                <Line key={`${row.verb} ${row.contestant}`} row={row} />
              ))}
          </tbody>
        ))}
      </table>
    </Scroll>
  );
}

function Line({ row: { verb, contestant, client, server } }: { readonly row: Row }) {
  return (
    <tr>
      <td>{verb}</td>
      <th scope="row">
        <span className="mark" style={toneOf(contestant)} />
        {contestant}
      </th>
      <td className="number">{client.count}</td>
      <Figures summary={client} />
      <td className="number">{milliseconds(client.least)}</td>
      <td className="number">{milliseconds(client.most)}</td>
      <Figures summary={server} />
    </tr>
  );
}

function Figures({ summary: { mean, deviation, median } }: { readonly summary: Summary }) {
  return (
    <>
      <td className="number strong">{milliseconds(mean)}</td>
      <td className="number">{deviation === undefined ? '–' : milliseconds(deviation)}</td>
      <td className="number">{milliseconds(median)}</td>
    </>
  );
}

/** What the paper published beside what came out here, by both clocks. */
export function ComparisonTable({ setup, rows }: TableProps) {
  const verbs = [...setup.verbs, 'all' as const].filter((verb) => rows.some((row) => row.verb === verb));
  const lines = (['client', 'server'] as const).flatMap((clock) =>
    compare(setup.published, rows, clock).map((one) => ({ clock, ...one })),
  );
  if (lines.length === 0) return null;
  return (
    <Scroll label="Beside the paper">
      <table>
        <caption>
          Less time than the other, in % of the other’s mean ± two standard errors, beside what the paper published
        </caption>
        <thead>
          <tr>
            <th scope="col">Compared</th>
            <th scope="col">Clock</th>
            {verbs.map((verb) => (
              <th key={verb} scope="col" className="number">
                {verb}
              </th>
            ))}
          </tr>
        </thead>
        {setup.published.map((published) => (
          <ComparedShape
            key={published.shape}
            title={titleOf(setup, published.shape)}
            words={published.words}
            verbs={verbs}
            lines={lines.filter((line) => line.published === published)}
          />
        ))}
      </table>
    </Scroll>
  );
}

interface ComparedShapeProps {
  readonly title: string;
  readonly words: string;
  readonly verbs: readonly (Verb | 'all')[];
  readonly lines: readonly (Compared & { readonly clock: Clock })[];
}

function ComparedShape({ title, words, verbs, lines }: ComparedShapeProps) {
  if (lines.length === 0) return null;
  const byPair = new Map(lines.map((line) => [`${line.of} against ${line.against} ${line.clock}`, line]));
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={verbs.length + 2}>
          {title} <span className="published">published: {words}</span>
        </th>
      </tr>
      {[...byPair].map(([key, { of, against, clock }]) => (
        <tr key={key}>
          <th scope="row">
            <span className="mark" style={toneOf(of)} />
            {of} against {against}
          </th>
          <td>{clock}</td>
          {verbs.map((verb) => {
            const cell = lines.find(
              (line) => line.verb === verb && line.of === of && line.against === against && line.clock === clock,
            );
            return (
              <td key={verb} className="number">
                {cell === undefined ? '–' : percentWithin(cell.percent, cell.within)}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}
