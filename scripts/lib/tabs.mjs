/** The compiler indents by four spaces and has no option for it: 9 % of what it writes. */
const INDENTATION = /^(?: {4})+/;

/** Replaces each four spaces at the beginning of a line by a tab. @param {string} line */
export const tabbed = (line) => line.replace(INDENTATION, (spaces) => '\t'.repeat(spaces.length / 4));

/** Code with tabs; it must have no texts of several lines. @param {string} code */
export const withTabs = (code) => code.split('\n').map(tabbed).join('\n');

/** A statement of a declaration file, with the comment before it. The compiler indents inner lines. */
const STATEMENT = /^(?:\/\*\*(?:.|\n)*?\*\/\n)?(?!\/\*\*)[^\n]*(?:\n(?:[ \t][^\n]*|\}[^\n]*))*\n/gm;

/**
 * Declarations of types without those of values: for files whose values are in a joined file, where programs cannot reach
 * them. Imports that are then unused are left out, too.
 * @param {string} code
 */
export function typesAlone(code) {
  const kept = [...code.matchAll(STATEMENT)]
    .map(([statement]) => statement)
    .filter((statement) => !/^(?:export )?declare /m.test(statement));
  const uses = kept.filter((statement) => !statement.startsWith('import ')).join('');
  const isUsed = (/** @type {string} */ statement) => {
    const names = statement.replace(/ from .*/s, '').match(/\b[A-Z]\w*|\bhttp2?\b/g) ?? [];
    return names.some((name) => new RegExp(`\\b${name}\\b`).test(uses));
  };
  return kept.filter((statement) => !statement.startsWith('import ') || isUsed(statement)).join('');
}
