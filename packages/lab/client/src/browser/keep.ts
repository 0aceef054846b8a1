import type { Sample } from '../logic/contract.js';
import type { Run } from '../logic/export.js';

/** Where the samples of the last run outlive a reload or a crash of the page. */
const place = 'nonstop-crud-run';

/** Names are written once: a long run of full objects would not fit into what a browser gives. */
type Packed = [contestant: number, shape: number, verb: number, repetition: number, clientMs: number, serverMs: number];

/** Keeps a run in this browser; false when the browser refuses. */
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

/** The run that was kept, if there is one. */
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
