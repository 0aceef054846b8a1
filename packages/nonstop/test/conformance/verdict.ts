/** What became of one test: on the original, and with the engine (or package) in its place. */
export interface Verdict {
  readonly name: string;
  readonly original: 'pass' | 'fail' | 'skip';
  /** Absent when the original does not pass: nothing can be learnt then. */
  readonly ours?: 'pass' | 'fail';
  /** Why ours failed, in a line. */
  readonly reason?: string;
}

export interface Suite {
  readonly verdicts: readonly Verdict[];
  /** Who served the requests, in lines. */
  readonly notes: readonly string[];
}

/** Prints a summary and one line for each test that only the original passes. @returns how many those are */
export function printTable(title: string, { verdicts, notes }: Suite): number {
  const passing = verdicts.filter(({ original }) => original === 'pass');
  const lost = passing.filter(({ ours }) => ours === 'fail');
  console.log(
    `\n${title}: ${verdicts.length} tests, ${passing.length} pass on the original, ${passing.length - lost.length} of them here`,
  );
  for (const note of notes) console.log(`  ${note}`);
  for (const { name, reason } of lost) console.log(`  FAIL ${name}\n       ${reason ?? ''}`);
  return lost.length;
}

/** @returns the line of an error output that says most: the error itself rather than the source line above it */
export function firstReason(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const telling =
    lines.find((line) => /^(?:\w*Error\b|AssertionError|Mismatched|Uncaught)/.test(line)) ??
    lines.find((line) => line !== '');
  const at = lines.find((line) => /^at .*test-[\w-]+\.js:\d+/.test(line));
  return `${(telling ?? 'no output').slice(0, 160)}${at === undefined ? '' : `  ${at.replace(/^at .*?(test-[\w-]+\.js:\d+).*$/, '$1')}`}`;
}
