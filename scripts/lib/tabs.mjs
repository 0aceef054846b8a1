/** The compiler indents by four spaces and has no option for it: 9 % of what it writes. */
const INDENTATION = /^(?: {4})+/;

/** A line with a tab for each four spaces in front. @param {string} line */
export const tabbed = (line) => line.replace(INDENTATION, (spaces) => '\t'.repeat(spaces.length / 4));

/** Declarations with tabs; they have no texts of several lines. @param {string} code */
export const declarationsWithTabs = (code) => code.split('\n').map(tabbed).join('\n');
