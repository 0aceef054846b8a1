import type { Failure } from '../measure.js';
import type { BenchRecord, RunRecord } from '../record.js';
import { isRecordStudy, loadOf, type Stored } from './read.js';

/** The part of one record about one subject on one Node. */
export interface View {
  readonly stored: Stored;
  readonly node: string;
  /** A workload, a row of the board, a curve. */
  readonly subject: string;
}

export interface Choice {
  readonly views: readonly View[];
  /** Records that are not shown, with the reason. */
  readonly left: readonly { readonly stored: Stored; readonly reason: string }[];
}

/**
 * Chooses what is shown: of each kind, subject and Node the newest record that is complete. A short run is shown only if
 * there is no other, and an incomplete one only if there is no complete one.
 *
 * @param records the oldest first
 */
export function choose(records: readonly Stored[]): Choice {
  const best = new Map<string, View>();
  for (const stored of records) {
    for (const { node, subject } of subjectsOf(stored)) {
      const key = JSON.stringify([kindOf(stored.record), subject, node]);
      const current = best.get(key);
      if (current === undefined || rank(stored.record) >= rank(current.stored.record))
        best.set(key, { stored, node, subject });
    }
  }
  const views = [...best.values()];
  const shown = new Set(views.map(({ stored }) => stored));
  const left = records.filter((stored) => !shown.has(stored)).map((stored) => ({ stored, reason: reasonFor(stored) }));
  return { views, left };
}

/**
 * The kind under which a record is compared: a board of two commits differs from a board of budgets, and each application
 * is a kind of its own.
 */
export function kindOf(record: RunRecord): string {
  const { kind, base, file } = record as RunRecord & { readonly base?: unknown; readonly file?: unknown };
  if (kind === 'board' && base !== undefined) return 'commits';
  return kind === 'app' ? `app ${String(file)}` : kind;
}

function subjectsOf(stored: Stored): { readonly node: string; readonly subject: string }[] {
  const { record } = stored;
  const named = isRecordStudy(record)
    ? [...record.samples, ...failuresOf(record)].map((one) => ({ node: nodeOf(one, record), subject: record.study }))
    : loadSubjects(loadOf(stored));
  const keys = new Set(named.map(({ node, subject }) => JSON.stringify([node, subject])));
  return [...keys].map((key) => {
    const [node, subject] = JSON.parse(key) as [string, string];
    return { node, subject };
  });
}

function loadSubjects(record: BenchRecord): { readonly node: string; readonly subject: string }[] {
  return [
    ...record.samples.map(({ node, ...sample }) => ({ node, subject: subjectOf(sample) })),
    // The figures of an application belong to its request.
    ...(record.kind === 'app' ? [] : record.figures).map(({ node, row }) => ({ node, subject: row })),
    ...record.failures.map(({ node, ...failure }) => ({ node, subject: subjectOf(failure) })),
  ];
}

/** A sample from a browser does not say on which Node its server ran; its record does. */
export const nodeOf = (
  sample: { readonly node?: string; readonly contestant: string },
  { versions }: RunRecord,
): string => sample.node ?? versions['node'] ?? versions['lab'] ?? 'unknown';

const failuresOf = (record: RunRecord): readonly Failure[] =>
  (record as { readonly failures?: readonly Failure[] }).failures ?? [];

/** Samples of a curve belong together, although each point of it is a separate workload. */
export const subjectOf = (sample: { readonly scenario: string; readonly curve?: string }): string =>
  sample.curve ?? sample.scenario;

/** The settings mark a short run. */
export const isShort = (record: RunRecord): boolean =>
  (record as { readonly settings?: { readonly quick?: boolean } }).settings?.quick === true;

const rank = (record: RunRecord): number => (record.ended === 'complete' ? 2 : 0) + (isShort(record) ? 0 : 1);

function reasonFor(stored: Stored): string {
  const { record } = stored;
  if (subjectsOf(stored).length === 0) return 'nothing was measured';
  if (record.ended !== 'complete') return endings[record.ended];
  return isShort(record) ? 'a short run' : 'there is a newer one';
}

export const endings = {
  running: 'not ended: still running, or cut off',
  complete: 'complete',
  interrupted: 'interrupted',
  stopped: 'stopped before its end',
} as const;
