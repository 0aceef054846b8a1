import { decode, encode } from '@jridgewell/sourcemap-codec';
import { tabbed } from './tabs.mjs';

/** A comment of whole lines. */
const LINE_COMMENT = /^\s*\/\/ /;

/** The first line of a member's doc comment, with nothing behind its end. Those of functions and classes begin at the start of a line. */
const MEMBER_COMMENT = /^\s+\/\*\*(?!.*\*\/.)/;

const ANY_COMMENT = /^\s*\/\*\*(?!.*\*\/.)/;

/** A variable that is no function, or what no other module uses; its doc comment begins at the start of a line as well. */
const INNER =
  /^(?:const|let|(?:async )?function)\b|^export (?:const|let) \w+(?: =|;)(?!.*(?:=>|\bfunction\b|\bclass\b))/;

/** A statement without a block below its condition: the compiler takes a line for each, the sources have one for both. */
const CONDITION = /^(\t*)(?:(?:else )?(?:if|for|while) \(.*\)|else)$/;
/** The length of a line in the sources. */
const LONGEST = 120;

/**
 * @typedef {{ text: string, from: number, segments: number[][] }} Line `from`: its number in the compiled module
 */

/**
 * A compiled module as it is published, with its map: tabs in front of its lines, no comments of `//` and no doc comments of
 * members, of variables and of functions that one module uses, all of which its source map has, and `if (a) b;` in one line as in the sources. Doc
 * comments of other functions and of classes stay, and what stands inside of a text.
 * @template {{ mappings: string }} M
 * @param {{ code: string, map: M, isBare?: boolean }} module `isBare`: no doc comments stay
 * @param {(code: string) => object} parse gives the module's syntax tree
 * @returns {{ code: string, map: M }}
 */
export function asPublished({ code, map, isBare = false }, parse) {
  const inText = linesInTexts(code, parse(code));
  const mappings = decode(map.mappings);
  /** @type {Line[]} */
  const lines = [];
  let inComment = false;
  const all = code.split('\n');
  for (const [from, compiled] of all.entries()) {
    const segments = mappings[from] ?? [];
    inComment ||= !inText.has(from) && ((isBare ? ANY_COMMENT : MEMBER_COMMENT).test(compiled) || isOfInner(all, from));
    if (inText.has(from)) lines.push({ text: compiled, from, segments });
    else if (inComment) inComment = !compiled.includes('*/');
    else if (!LINE_COMMENT.test(compiled) || compiled.startsWith('//# ')) {
      const line = { text: tabbed(compiled), from, segments: [] };
      take(line, segments, line.text.length - compiled.length);
      const above = lines.at(-1);
      if (above !== undefined && !inText.has(above.from) && belongsTo(above.text, line.text)) join(above, line);
      else lines.push(line);
    }
  }
  const text = lines.map((line) => line.text).join('\n');
  // @ts-expect-error -- segments are tuples of 1, 4 or 5 numbers, which their copies stay
  return { code: text, map: { ...map, mappings: encode(lines.map(({ segments }) => segments)) } };
}

/** Whether the doc comment of an inner part begins at a line. @param {string[]} lines @param {number} from */
function isOfInner(lines, from) {
  if (!lines[from]?.startsWith('/**')) return false;
  const end = lines.findIndex((line, at) => at >= from && line.includes('*/'));
  return INNER.test(lines[end + 1] ?? '');
}

/** Whether a line is the one statement of a condition above it. @param {string} above @param {string} line */
function belongsTo(above, line) {
  const [, tabs] = CONDITION.exec(above) ?? [];
  if (tabs === undefined || !line.endsWith(';') || !line.startsWith(`${tabs}\t`) || line[tabs.length + 1] === '\t')
    return false;
  return above.length + line.length < LONGEST;
}

/** @param {Line} above @param {Line} line */
function join(above, line) {
  const statement = line.text.trimStart();
  const at = above.text.length + 1;
  take(above, line.segments, at - (line.text.length - statement.length));
  above.text += ` ${statement}`;
}

/** Adds places that are so many columns further. @param {Line} line @param {number[][]} segments @param {number} columns */
function take(line, segments, columns) {
  for (const [column, ...source] of segments) line.segments.push([Math.max(0, column + columns), ...source]);
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
