import type { Sample, Verb } from './contract.js';

/** The times of one contestant, one shape and one verb, in milliseconds. */
export interface Summary {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation of the samples (n - 1); undefined for fewer than two. */
  readonly deviation: number | undefined;
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** One bar of the charts and one line of the table; `all` is the verbs of a repetition together. */
export interface Row {
  readonly contestant: string;
  readonly shape: string;
  readonly verb: Verb | 'all';
  readonly client: Summary;
  readonly server: Summary;
}

/**
 * Mean and spread of times.
 *
 * @throws {RangeError} if there are none
 */
export function summarize(times: readonly number[]): Summary {
  if (times.length === 0) throw new RangeError('No samples to summarize');
  const count = times.length;
  const mean = times.reduce((sum, time) => sum + time, 0) / count;
  const squares = times.reduce((sum, time) => sum + (time - mean) ** 2, 0);
  const sorted = times.toSorted((a, b) => a - b);
  const half = Math.floor(count / 2);
  return {
    count,
    mean,
    deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : undefined,
    median: count % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2,
    least: sorted[0],
    most: sorted[count - 1],
  };
}

/** Names in the order of the rows. */
export interface Order {
  readonly contestants: readonly string[];
  readonly shapes: readonly string[];
  readonly verbs: readonly Verb[];
}

/** A row for each combination that has samples, ordered by shape, verb and contestant. */
export function rows(samples: readonly Sample[], { contestants, shapes, verbs }: Order): Row[] {
  const groups = grouped(samples, ({ contestant, shape, verb }) => keyOf(contestant, shape, verb));
  return shapes.flatMap((shape) =>
    verbs.flatMap((verb) =>
      contestants.flatMap((contestant) => {
        const group = groups.get(keyOf(contestant, shape, verb));
        if (group === undefined) return [];
        const client = summarize(group.map(({ clientMs }) => clientMs));
        const server = summarize(group.map(({ serverMs }) => serverMs));
        return [{ contestant, shape, verb, client, server }];
      }),
    ),
  );
}

/** The verbs of a repetition as one request, for complete repetitions; nothing if there is only one verb. */
export function together(samples: readonly Sample[], { contestants, shapes, verbs }: Order): Row[] {
  if (verbs.length < 2) return [];
  const bySide = grouped(samples, ({ contestant, shape }) => keyOf(contestant, shape));
  return shapes.flatMap((shape) =>
    contestants.flatMap((contestant) => {
      const repetitions = grouped(bySide.get(keyOf(contestant, shape)) ?? [], ({ repetition }) => String(repetition));
      const whole = [...repetitions.values()].filter(({ length }) => length === verbs.length);
      if (whole.length === 0) return [];
      const sums = (time: (sample: Sample) => number): number[] =>
        whole.map((life) => life.reduce((sum, sample) => sum + time(sample), 0));
      const client = summarize(sums(({ clientMs }) => clientMs));
      return [{ contestant, shape, verb: 'all' as const, client, server: summarize(sums(({ serverMs }) => serverMs)) }];
    }),
  );
}

function grouped(samples: readonly Sample[], key: (sample: Sample) => string): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const name = key(sample);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [sample]);
    else group.push(sample);
  }
  return groups;
}

const keyOf = (...names: string[]): string => names.join('\n');
