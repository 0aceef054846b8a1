import { decode, encode } from '@jridgewell/sourcemap-codec';
import { tabbed } from './tabs.mjs';

/**
 * A module with tabs in front of its lines, and its map with the places where they are now. What stands inside of a text stays.
 * @template {{ mappings: string }} M
 * @param {{ code: string, map: M }} module
 * @param {(code: string) => object} parse gives the module's syntax tree
 * @returns {{ code: string, map: M }}
 */
export function withTabs({ code, map }, parse) {
  const inText = linesInTexts(code, parse(code));
  const before = code.split('\n');
  const after = before.map((line, number) => (inText.has(number) ? line : tabbed(line)));
  const mappings = decode(map.mappings);
  for (const [number, segments] of mappings.entries()) {
    const less = (before[number] ?? '').length - (after[number] ?? '').length;
    for (const segment of segments) segment[0] = Math.max(0, segment[0] - less);
  }
  return { code: after.join('\n'), map: { ...map, mappings: encode(mappings) } };
}

/** The lines, counted from 0, that begin inside of a text. @param {string} code @param {unknown} tree @returns {Set<number>} */
function linesInTexts(code, tree) {
  /** @type {Set<number>} */
  const found = new Set();
  const left = [tree];
  while (left.length > 0) {
    const node = /** @type {Record<string, unknown> | null} */ (left.pop());
    if (typeof node !== 'object' || node === null) continue;
    left.push(...Object.values(node));
    if (node['type'] !== 'TemplateElement' && node['type'] !== 'Literal') continue;
    const first = lineAt(code, Number(node['start']));
    const last = lineAt(code, Number(node['end']));
    for (let line = first + 1; line <= last; line++) found.add(line);
  }
  return found;
}

/** @param {string} code @param {number} offset */
const lineAt = (code, offset) => code.slice(0, offset).split('\n').length - 1;
