import type { RunOptions } from './record.js';

/** In a log: the time after which a step is a line, in milliseconds. A measurement may take minutes for a row. */
const QUIET = 15_000;

/** Where the output goes, such as `process.stdout`. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Shows progress. On a terminal it is one line that is overwritten; in a log it is a line for each row, and one for a step when nothing was
 * written for a while.
 *
 * @param now the time in milliseconds
 */
export function terminal(
  output: Output = process.stdout,
  now: () => number = performance.now.bind(performance),
): Pick<RunOptions, 'width' | 'progress' | 'print'> {
  const { isTTY = false, columns } = output;
  let lastRow = '';
  let last = -Infinity;
  const line = (text: string): void => {
    last = now();
    output.write(`${text}\n`);
  };
  return {
    // Some terminals report 0 as their width.
    width: (isTTY && columns) || undefined,
    progress(row, step) {
      if (isTTY) output.write(`\r\u001B[K${`${row}: ${step}`.slice(0, (columns || 80) - 1)}`);
      else if (row !== lastRow) line(row);
      else if (now() - last >= QUIET) line(`${row}: ${step}`);
      lastRow = row;
    },
    print(text) {
      if (isTTY) output.write('\r\u001B[K');
      line(text);
    },
  };
}
