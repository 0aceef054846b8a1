import { decode, encode } from '@jridgewell/sourcemap-codec';

/** What ends something, or stands between. */
const ENDS = /^[;,)\]}\s]?$/;

/**
 * A source map without the places of ends, such as `)` and `;`, which the bundler notes beside those of beginnings. Positions in stack traces, profiles and
 * breakpoints are beginnings: of calls, `new`, `throw`, functions and statements. It saves a third of the map's places. The first place of a line stays.
 *
 * @param {string} code the text that the map is of
 * @param {string} text the map as JSON
 * @returns {string} the map as JSON
 */
export function withoutEnds(code, text) {
  const map = JSON.parse(text);
  const lines = code.split('\n');
  const kept = decode(map.mappings).map((segments, line) =>
    segments.filter(([column], at) => at === 0 || !ENDS.test(lines[line]?.[column] ?? '')),
  );
  return JSON.stringify({ ...map, mappings: encode(kept) });
}
