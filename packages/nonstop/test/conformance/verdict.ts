/** The result of one test: on the original, and with the engine (or package) in its place. */
export interface Verdict {
  readonly name: string;
  readonly original: 'pass' | 'fail' | 'skip';
  /** Undefined if the test fails on the original. */
  readonly ours?: 'pass' | 'fail';
  /** Why it failed on ours, in one line. */
  readonly reason?: string;
}

export interface Suite {
  readonly verdicts: readonly Verdict[];
  /** Who served the requests, as lines of text. */
  readonly notes: readonly string[];
}

/** Prints a summary, and a line for each test that passes only on the original. @returns the number of such tests */
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

/** @returns the most useful line of an error output: the error message rather than the source line above it */
export function firstReason(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const telling =
    lines.find((line) => /^(?:\w*Error\b|AssertionError|Mismatched|Uncaught)/.test(line)) ??
    lines.find((line) => line !== '');
  const at = lines.find((line) => /^at .*test-[\w-]+\.js:\d+/.test(line));
  return `${(telling ?? 'no output').slice(0, 160)}${at === undefined ? '' : `  ${at.replace(/^at .*?(test-[\w-]+\.js:\d+).*$/, '$1')}`}`;
}
