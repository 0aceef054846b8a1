import type { Sample } from '../logic/contract.js';
import type { Run } from '../logic/export.js';

/** Where the samples of the last run survive a reload or a crash of the page. */
const place = 'nonstop-crud-run';

/** Which run has been saved or exported, and how many of its samples. */
const savedPlace = 'nonstop-crud-saved';

/** Notes that samples of a run are in a record or a file, so that the page knows it after a reload. */
export function keepSaved({ started }: Run, samples: number): void {
  try {
    localStorage.setItem(savedPlace, JSON.stringify({ started, samples }));
  } catch {
    // The browser refuses: the page will ask once more than necessary.
  }
}

/** The number of samples of a run that are in a record or a file. */
export function savedSamplesOf(run: Run | undefined): number {
  try {
    const saved: { started: string; samples: number } | null = JSON.parse(localStorage.getItem(savedPlace) ?? 'null');
    return saved !== null && saved.started === run?.started ? saved.samples : 0;
  } catch {
    return 0;
  }
}

/** Names are stored once: a long run with full objects would exceed the browser's limit. */
type Packed = [contestant: number, shape: number, verb: number, repetition: number, clientMs: number, serverMs: number];

/** Stores a run in this browser. @returns false if the browser refuses */
export function keep(run: Run): boolean {
  const { contestants, shapes, verbs } = run.choice;
  const samples = run.samples.map((sample): Packed => [
    contestants.indexOf(sample.contestant),
    shapes.indexOf(sample.shape),
    verbs.indexOf(sample.verb),
    sample.repetition,
    sample.clientMs,
    sample.serverMs,
  ]);
  try {
    localStorage.setItem(place, JSON.stringify({ ...run, samples }));
    return true;
  } catch {
    return false;
  }
}

/** The stored run, if there is one. */
export function kept(): Run | undefined {
  try {
    const run: (Omit<Run, 'samples'> & { readonly samples: readonly Packed[] }) | null = JSON.parse(
      localStorage.getItem(place) ?? 'null',
    );
    if (run === null || run.samples.length === 0) return undefined;
    const { choice } = run;
    const samples = run.samples.map(([contestant, shape, verb, repetition, clientMs, serverMs]): Sample => ({
      contestant: choice.contestants[contestant],
      shape: choice.shapes[shape],
      verb: choice.verbs[verb],
      repetition,
      clientMs,
      serverMs,
    }));
    return { ...run, samples };
  } catch {
    // Written by another version of this page, or by hand.
    return undefined;
  }
}
