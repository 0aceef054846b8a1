import { decode, encode } from '@jridgewell/sourcemap-codec';
import { tabbed } from './tabs.mjs';

/** A comment of whole lines. */
const LINE_COMMENT = /^\s*\/\/ /;

/** The first line of a member's doc comment, with no code after its end. It is indented; those of functions and classes are not. */
const MEMBER_COMMENT = /^\s+\/\*\*(?!.*\*\/.)/;

/** The first line of any comment of whole lines, with no code after its end. */
const ANY_COMMENT = /^\s*\/\*(?!.*\*\/.)/;

/** A variable that is not a function, or a declaration that is not exported. Its doc comment is not indented. */
const INNER =
  /^(?:const|let|(?:async )?function)\b|^export (?:const|let) \w+(?: =|;)(?!.*(?:=>|\bfunction\b|\bclass\b))/;

/** A condition without a block: the compiler writes its statement on the next line, the sources have both in one line. */
const CONDITION = /^(\t*)(?:(?:else )?(?:if|for|while) \(.*\)|else)$/;
/** The length of a line in the sources. */
const LONGEST = 120;

/**
 * @typedef {{ text: string, from: number, segments: number[][] }} Line `from`: its number in the compiled module
 */

/**
 * A compiled module as it is published, with its map: indented by tabs, and `if (a) b;` in one line as in the sources. It has no `//`
 * comments, and doc comments only of exported functions and of classes; the source map has the others. Texts stay as they are.
 * @template {{ mappings: string }} M
 * @param {{ code: string, map: M, isBare?: boolean }} module `isBare`: no comments of whole lines stay
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

/** The lines, counted from 0, that begin inside a text. @param {string} code @param {unknown} tree @returns {Set<number>} */
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
