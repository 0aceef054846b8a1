import fs = require('node:fs');
import path = require('node:path');
import { choose, kindOf } from './choose.js';
import { makeFolder } from '../paths.js';
import { html } from './html.js';
import { slug } from './parts.js';
import type { Reading } from './read.js';
import { curveChart, isDrawn } from './scale-section.js';
import { style } from './style.js';

/**
 * Writes each curve of growth as a picture of its own, for a page that is written by hand: `routes-24.svg`.
 *
 * @returns the names of the files
 * @throws {Error} if there is no curve
 */
export function writeCurves(reading: Reading, folder: string): string[] {
  const views = choose(reading.records).views.filter(({ stored }) => kindOf(stored.record) === 'scale');
  const drawn = views.filter(isDrawn);
  if (drawn.length === 0) throw new Error("There is no curve to draw. 'npm run lab -- scale' makes some.");
  makeFolder(folder);
  return drawn.map((view) => {
    const name = `${slug(view.subject)}-${/^v(\d+)/.exec(view.node)?.[1] ?? slug(view.node)}.svg`;
    const chart = curveChart(view);
    const viewBox = /viewBox="([^"]*)"/.exec(chart.toString())?.[1];
    // The ground is drawn: a page may be dark where the reader's system is light.
    const own = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">
      <style>
        ${style()}
      </style>
      <rect width="100%" height="100%" style="fill: var(--ground)" />
      ${chart}
    </svg>`;
    fs.writeFileSync(path.join(folder, name), `${own.toString()}\n`);
    return name;
  });
}
