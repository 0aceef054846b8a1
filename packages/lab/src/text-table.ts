/**
 * Cells as a printable table; also valid Markdown.
 *
 * @param cells the titles first
 * @param words how many columns, from the left, are words; the others are numbers, on the right
 */
export function textTable(cells: readonly (readonly string[])[], words: number): string {
  const widths = cells[0].map((_, index) => Math.max(3, ...cells.map((line) => line[index].length)));
  const pad = (text: string, index: number): string =>
    index < words ? text.padEnd(widths[index]) : text.padStart(widths[index]);
  const rule = widths.map((width, index) => (index < words ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const lines = [cells[0].map(pad), rule, ...cells.slice(1).map((line) => line.map(pad))];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
