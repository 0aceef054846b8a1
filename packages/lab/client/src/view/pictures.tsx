import { useId, useState } from 'react';
import { titleOf, type Setup } from '../logic/contract.js';
import type { Order, Row } from '../logic/statistics.js';
import { BarChart } from './bar-chart.js';
import { PaperChart } from './paper-chart.js';

export type Clocks = 'client' | 'server' | 'both';

const clocks: readonly (readonly [Clocks, label: string])[] = [
  ['client', 'Client'],
  ['server', 'Server'],
  ['both', 'Both'],
];

interface PicturesProps {
  readonly setup: Setup;
  readonly order: Order;
  readonly rows: readonly Row[];
}

/** A picture for each shape, and one of what the paper found beside what was found here. */
export function Pictures({ setup, order, rows }: PicturesProps) {
  const [shown, show] = useState<Clocks>('client');
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="pictures">
      <div className="line">
        <h2 id={heading}>Time of a request</h2>
        <fieldset className="switch">
          <legend className="out-of-sight">Whose clock</legend>
          {clocks.map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="clock" checked={shown === value} onChange={() => show(value)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <p className="quiet">
        {explained[shown]} Bars are means; the whiskers reach one standard deviation to each side. Shorter is better.
      </p>
      <div className="charts">
        {order.shapes.map((shape) => (
          <BarChart
            key={shape}
            title={titleOf(setup, shape)}
            order={order}
            rows={rows.filter((row) => row.shape === shape && row.verb !== 'all')}
            clocks={shown}
          />
        ))}
      </div>
      <PaperChart setup={setup} order={order} rows={rows} clock={shown === 'server' ? 'server' : 'client'} />
    </section>
  );
}

const explained: Record<Clocks, string> = {
  client: 'As this browser saw it: from before fetch to after the body was read.',
  server: 'As the server saw it: from the request coming in to the answer going out.',
  both: 'Filled: as this browser saw it. Outlined: as the server saw it, which is a part of that.',
};
