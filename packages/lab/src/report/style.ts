import fs = require('node:fs');
import path = require('node:path');
import { labRoot } from '../paths.js';
import { Html } from './html.js';
import { grounds, tones } from './palette.js';

/** The style sheet: light or dark by the reader's setting, light on paper. */
export function style(): Html {
  const all = { ...grounds, ...tones };
  const pick = (index: 0 | 1): string =>
    Object.entries(all)
      .map(([name, pair]) => `--${name}:${pair[index]}`)
      .join(';');
  const classes = Object.keys(tones).map((name) => `.c-${name}{--tone:var(--${name})}`);
  const rules = fs.readFileSync(path.join(labRoot, 'src', 'report', 'report.css'), 'utf8');
  const dark = `@media screen and (prefers-color-scheme:dark){:root{${pick(1)}}}`;
  return new Html([`:root{${pick(0)}}`, dark, ...classes, rules].join('\n'));
}
