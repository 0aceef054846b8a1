import { decode, encode } from '@jridgewell/sourcemap-codec';

/** Closing brackets, separators, spaces and the end of a line. */
const ENDS = /^[;,)\]}\s]?$/;

/**
 * Removes a third of a source map: the places of `)`, `;` and other ends, except the first place of a line. Stack traces, profiles and breakpoints
 * only need where calls, `new`, `throw`, functions and statements begin.
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
