import { save, type RunRecord } from '../record.js';
import { shapeNames, verbs, type Verb } from './shapes.js';

/** One request that the page has timed. */
export interface BrowserSample {
  readonly contestant: string;
  readonly shape: string;
  readonly verb: Verb;
  /** Counted from 0. */
  readonly repetition: number;
  /** Milliseconds until the whole answer was read. */
  readonly clientMs: number;
  /** Milliseconds inside the server; null if the answer has no timing. */
  readonly serverMs: number | null;
}

/** The body that the page sends to be saved. */
export interface BrowserRun {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly samples: readonly BrowserSample[];
  readonly ended: Exclude<RunRecord['ended'], 'running'>;
}

export interface BrowserRecord extends RunRecord {
  readonly study: 'crud';
  readonly database: string;
  readonly settings: BrowserRun['settings'];
  readonly samples: BrowserRun['samples'];
}

/** Twelve times the number of samples of the published study for five contestants. */
const mostSamples = 100_000;

const ends = ['complete', 'interrupted', 'stopped'] as const;

/**
 * Parses the body from the page.
 *
 * @param contestants the names that can occur
 * @throws {RangeError} in one line, with the place and the expected value
 */
export function readBrowserRun(body: unknown, contestants: readonly string[]): BrowserRun {
  const { settings, samples, ended } = objectAt(body, 'the body');
  const end = oneOf(ended, ends, 'ended');
  if (!Array.isArray(samples) || samples.length === 0 || samples.length > mostSamples)
    throw new RangeError(`samples has to be a list of 1 to ${mostSamples} samples`);
  return {
    settings: objectAt(settings, 'settings'),
    samples: samples.map((sample, place) => sampleAt(sample, `samples[${place}]`, contestants)),
    ended: end,
  };
}

function sampleAt(value: unknown, place: string, contestants: readonly string[]): BrowserSample {
  const { contestant, shape, verb, repetition, clientMs, serverMs } = objectAt(value, place);
  if (!Number.isSafeInteger(repetition) || (repetition as number) < 0)
    throw new RangeError(`${place}.repetition has to be a whole number from 0 on`);
  return {
    contestant: oneOf(contestant, contestants, `${place}.contestant`),
    shape: oneOf(shape, shapeNames, `${place}.shape`),
    verb: oneOf(verb, verbs, `${place}.verb`),
    repetition: repetition as number,
    clientMs: timeAt(clientMs, `${place}.clientMs`),
    serverMs: serverMs === null ? null : timeAt(serverMs, `${place}.serverMs`),
  };
}

function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new RangeError(`${place} has to be an object`);
}

function oneOf<T extends string>(value: unknown, words: readonly T[], place: string): T {
  const word = words.find((one) => one === value);
  if (word === undefined) throw new RangeError(`${place} has to be one of ${words.join(', ')}`);
  return word;
}

function timeAt(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new RangeError(`${place} has to be a number of milliseconds`);
}

/**
 * Saves a run of the page among the lab's records.
 *
 * @param run the record without samples, created when the servers were started
 * @returns the file's path
 */
export function saveBrowserRun(
  run: RunRecord & { readonly database: string },
  sent: BrowserRun,
  folder?: string,
): string {
  // Each run of a page is a separate record.
  const record: BrowserRecord = { ...run, study: 'crud', ...sent, started: new Date().toISOString() };
  return save(record, folder);
}
