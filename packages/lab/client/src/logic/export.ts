import type { Choice, Ending, Sample, Setup } from './contract.js';

/** The result of a run: the choice, how it ended, and all finished samples. */
export interface Run {
  readonly started: string;
  readonly ended: Ending;
  readonly choice: Choice;
  readonly samples: readonly Sample[];
  readonly failures: readonly string[];
  readonly browser: Browser;
}

/** The browser that measured. */
export interface Browser {
  readonly agent: string;
  /** The smallest observed step of its clock, in milliseconds. */
  readonly clockStepMs: number;
  /** Whether the page was in the background for some of the time, where browsers give less CPU time. */
  readonly wasHidden: boolean;
}

const columns = ['contestant', 'shape', 'verb', 'repetition', 'clientMs', 'serverMs'] as const;

/** One line for each sample, as in RFC 4180. */
export function toCsv(samples: readonly Sample[]): string {
  const lines = samples.map((sample) => columns.map((column) => cell(sample[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/** A text that a spreadsheet would read as a formula gets an apostrophe in front. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The run with its origin, but without the sent bodies. */
export function toJson(run: Run, { database, machine, versions, contestants }: Setup): string {
  const named = contestants.filter(({ name }) => run.choice.contestants.includes(name));
  return `${JSON.stringify({ kind: 'crud-browser', database, machine, versions, contestants: named, ...run }, undefined, 2)}\n`;
}

/** The body of `POST /api/records`. */
export function toRecord({ choice, samples, ended, failures, browser, started }: Run): object {
  return { settings: { ...choice, started, failures, browser }, samples, ended };
}
