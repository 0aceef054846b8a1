import fs = require('node:fs');
import path = require('node:path');
import { figureNames } from '../board/judge.js';
import type { BrowserRecord } from '../crud/browser-record.js';
import type { CrudRecord } from '../crud/study.js';
import type { BenchRecord, RunRecord } from '../record.js';
import { all, amount, dictionaryOf, either, listOf, number, object, oneOf, optional, positive, text } from './shape.js';
import type { Shape } from './shape.js';

/** A record and the file that it is in. */
export interface Stored {
  /** Name of the file, without its folder. */
  readonly file: string;
  readonly record: RunRecord;
}

/** Of the record study: by the lab's own client or from a browser. */
export type RecordStudy = CrudRecord | BrowserRecord;

export const isRecordStudy = (record: RunRecord): record is RecordStudy =>
  record.kind === 'study-crud' || record.kind === 'crud-browser';

/** All other records; `readRecords` has checked them. */
export const loadOf = ({ record }: Stored): BenchRecord => record as BenchRecord;

export interface Reading {
  /** In the order of their starts, the oldest first. */
  readonly records: readonly Stored[];
  /** One line for each file that is not a record of the lab: its name and the fault. */
  readonly skipped: readonly string[];
}

const sample = object({
  scenario: text,
  contestant: text,
  node: text,
  connections: amount,
  round: amount,
  requests: amount,
  seconds: positive,
  p50: amount,
  p99: amount,
  cpu: amount,
  rss: amount,
  curve: optional(text),
  at: optional(amount),
});

const figure = object({
  row: text,
  contestant: text,
  node: text,
  figure: text,
  unit: text,
  round: amount,
  value: number,
});

const verdict = object({
  row: text,
  node: text,
  figure: oneOf(...Object.keys(figureNames)),
  against: text,
  most: amount,
  measured: optional(amount),
  lowest: optional(amount),
  highest: optional(amount),
  verdict: oneOf('pass', 'miss', 'uncertain', 'not judged', 'too few rounds', 'not measured'),
});

const ends = (value: unknown, where: string): string | undefined =>
  listOf(amount)(value, where) ?? ((value as number[]).length === 2 ? undefined : `${where} is no pair`);

const band = object({ middle: number, low: number, high: number });

const growth = object({
  curve: text,
  node: text,
  from: amount,
  to: amount,
  cost: dictionaryOf(ends),
  bend: optional(band),
  factor: optional(band),
  verdict: oneOf('worse', 'no difference seen', 'better', 'too few rounds', 'not measured'),
});

const compared = object({
  figure: oneOf('perSecond', 'rss'),
  of: text,
  against: text,
  connections: amount,
  share: amount,
  words: text,
  node: text,
  measuredAgainst: text,
  measured: amount,
  nonstop: optional(amount),
});

const failure = object({ scenario: text, contestant: text, node: text, problem: text, curve: optional(text) });

/** What every record says of its run. */
const run = object({
  kind: text,
  started: (value, where) => (Number.isNaN(Date.parse(String(value))) ? `${where} is not a time` : text(value, where)),
  ended: oneOf('running', 'complete', 'interrupted', 'stopped'),
  machine: all(dictionaryOf(either(text, number)), object({ processor: text, cores: number, system: text })),
  versions: dictionaryOf(text),
  commit: optional(text),
  notes: listOf(text),
});

/** The core, if they were pinned. */
const cores = object({ server: optional(number), generator: optional(number) });

const load = object({
  generator: object({ name: text, version: text }),
  cores,
  settings: object({ rounds: amount, seconds: amount, connections: amount, requests: optional(amount) }),
  samples: listOf(sample),
  failures: listOf(failure),
  figures: listOf(figure),
  verdicts: optional(listOf(verdict)),
  compared: optional(listOf(compared)),
  growths: optional(listOf(growth)),
  study: optional(text),
});

const app = all(load, object({ file: text, verdict: optional(text) }));

/** Every sample of a curve has its position. */
const scale = all(load, object({ samples: listOf(object({ curve: text, at: amount })) }));

const time: Shape = (value, where) => (value === null ? undefined : amount(value, where));

const recordStudy = object({
  study: text,
  database: text,
  cores: optional(cores),
  settings: object({}),
  samples: listOf(
    object({
      node: optional(text),
      contestant: text,
      shape: text,
      verb: oneOf('POST', 'GET', 'PUT', 'DELETE'),
      repetition: amount,
      clientMs: amount,
      serverMs: time,
    }),
  ),
  cpu: optional(
    listOf(
      object({
        node: text,
        contestant: text,
        shape: text,
        requests: positive,
        cpu: amount,
        question: optional(amount),
      }),
    ),
  ),
  failures: optional(listOf(failure)),
});

/** The parts of a record that the report reads. */
const shape: Shape = (value, where) => run(value, where) ?? shapeOf(value as RunRecord)(value, where);

function shapeOf(record: RunRecord): Shape {
  if (isRecordStudy(record)) return recordStudy;
  if (record.kind === 'scale') return scale;
  return record.kind === 'app' ? app : load;
}

/**
 * Reads every record of a folder. A file that is not a record, or cannot be read, is skipped and named.
 *
 * @throws {Error} when there is no such folder
 */
export function readRecords(folder: string): Reading {
  const records: Stored[] = [];
  const skipped: string[] = [];
  for (const file of names(folder)) {
    const content = read(path.join(folder, file));
    if ('record' in content) records.push({ file, record: content.record });
    else skipped.push(`${file} is skipped: ${content.problem}`);
  }
  records.sort((a, b) => Date.parse(a.record.started) - Date.parse(b.record.started));
  return { records, skipped };
}

function names(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new Error(`${folder} cannot be read (${code})`, { cause: error });
  }
}

function read(file: string): { readonly record: RunRecord } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    return { problem: error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message };
  }
  if ((value as RunRecord | null)?.kind === 'workers')
    return { problem: 'the page has no part for npm run lab -- workers, which prints all it has' };
  const problem = shape(value, '');
  return problem === undefined
    ? { record: value as RunRecord }
    : { problem: `it is not a record of the lab (${problem.trim()})` };
}
