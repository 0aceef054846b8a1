import { deviation, mean, median } from '../stats.js';
import { publishedCrud, type PublishedCrud } from './published.js';
import type { Verb } from './shapes.js';
import { control, type CpuSample, type CrudSample } from './sample.js';

/** Times of one kind, in one unit. */
export interface Times {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation. */
  readonly deviation: number;
  readonly median: number;
}

const timesOf = (values: readonly number[]): Times => ({
  count: values.length,
  mean: mean(values),
  deviation: deviation(values),
  median: median(values),
});

/** One contestant with one verb and one shape. */
export interface CrudRow {
  readonly node: string;
  readonly shape: string;
  readonly verb: Verb;
  readonly contestant: string;
  /** Milliseconds. */
  readonly server: Times;
  /** Milliseconds. */
  readonly client: Times;
}

/** The samples as rows, in the order in which shapes, verbs and contestants first appear. */
export function summariseCrud(samples: readonly CrudSample[]): CrudRow[] {
  const groups = grouped(samples, ({ node, shape, verb, contestant }) => [node, shape, verb, contestant]);
  const rows = groups.map((group): CrudRow => {
    const { node, shape, verb, contestant } = group[0];
    const server = timesOf(group.map(({ serverMs }) => serverMs));
    return { node, shape, verb, contestant, server, client: timesOf(group.map(({ clientMs }) => clientMs)) };
  });
  // The samples are grouped by contestant; rows that are compared must be adjacent.
  return grouped(rows, ({ node, shape, verb }) => [node, shape, verb]).flat();
}

/** One contestant's CPU time per request of one shape, in microseconds, without the cost of reading it. */
export interface CpuRow extends Pick<CrudRow, 'node' | 'shape' | 'contestant'> {
  readonly cpu: Times;
}

export function summariseCpu(samples: readonly CpuSample[]): CpuRow[] {
  const questions = new Map(
    grouped(samples, ({ node, contestant }) => [node, contestant]).map((group) => {
      const asked = group.flatMap(({ question }) => question ?? []);
      return [`${group[0].node} ${group[0].contestant}`, asked.length === 0 ? 0 : median(asked)];
    }),
  );
  return grouped(samples, ({ node, shape, contestant }) => [node, shape, contestant]).map((group) => {
    const { node, shape, contestant } = group[0];
    const question = questions.get(`${node} ${contestant}`) ?? 0;
    return { node, shape, contestant, cpu: timesOf(group.map(({ cpu, requests }) => (cpu - question) / requests)) };
  });
}

/** How much less time one needed than another, in per cent. */
export interface Less {
  readonly percent: number;
  /** Two standard errors: in about 95 of a hundred such comparisons the true value is within this range. */
  readonly within: number;
}

/** The published and the measured result of a shape, for one verb or all four together. */
export interface ComparedCrud extends PublishedCrud {
  readonly node: string;
  readonly verb: Verb | 'all';
  /** Express against Hapi, by means inside the server. */
  readonly server: Less;
  /** The same by medians, in per cent: a few slow requests do not matter. */
  readonly serverMedian: number;
  /** The same by means of the client's times. */
  readonly client: Less;
  /** Nonstop against Hapi, by means inside the server. */
  readonly nonstop?: Less;
  /** Nonstop against Express, by means inside the server. */
  readonly nonstopAgainstExpress?: Less;
}

const express = 'Express 5';

/** Each published comparison beside the measured one; none without both sides. */
export function compareCrud(samples: readonly CrudSample[]): ComparedCrud[] {
  const real = samples.filter(({ shape }) => shape !== control);
  const groups = grouped([...real, ...cycles(real)], ({ node, shape, verb }) => [node, shape, verb]);
  const compared = groups.flatMap((group): ComparedCrud[] => {
    const { node, shape, verb } = group[0];
    const published = publishedCrud.find((one) => one.shape === shape);
    const against = (own: string, other: string, value: 'serverMs' | 'clientMs' = 'serverMs'): Less | undefined =>
      less(paired(group, [own, other], value));
    const middle = (name: string): number =>
      median(group.filter(({ contestant }) => contestant === name).map(({ serverMs }) => serverMs));
    const server = against(express, 'Hapi');
    const client = against(express, 'Hapi', 'clientMs');
    if (published === undefined || server === undefined || client === undefined) return [];
    return [
      {
        ...published,
        node,
        verb,
        server,
        serverMedian: 100 * (1 - middle(express) / middle('Hapi')),
        client,
        nonstop: against('Nonstop', 'Hapi'),
        nonstopAgainstExpress: against('Nonstop', express),
      },
    ];
  });
  return grouped(compared, ({ node, shape }) => [node, shape]).flat();
}

/** The times of two contestants in the repetitions in which both took part. */
function paired(
  group: readonly Cycle[],
  [own, other]: readonly [string, string],
  value: 'serverMs' | 'clientMs',
): [number, number][] {
  const others = new Map(
    group.filter(({ contestant }) => contestant === other).map((one) => [one.repetition, one[value]]),
  );
  return group.flatMap((one): [number, number][] => {
    const counterpart = one.contestant === own ? others.get(one.repetition) : undefined;
    return counterpart === undefined ? [] : [[one[value], counterpart]];
  });
}

type Cycle = Omit<CrudSample, 'verb'> & { readonly verb: Verb | 'all' };

/** The requests of a record's life as one: all verbs of the run. A life without one of them, as after a failure, has no sum. */
function cycles(samples: readonly CrudSample[]): Cycle[] {
  const lives = grouped(samples, ({ node, shape, contestant, repetition }) => [node, shape, contestant, repetition]);
  const verbs = new Set(samples.map(({ verb }) => verb)).size;
  return lives
    .filter(({ length }) => length === verbs)
    .map((life) => {
      const sum = (value: 'serverMs' | 'clientMs'): number => life.reduce((total, sample) => total + sample[value], 0);
      return { ...life[0], verb: 'all', serverMs: sum('serverMs'), clientMs: sum('clientMs') };
    });
}

/**
 * How much less time, by the means. The error is that of the difference within a repetition: slower changes of the
 * machine affect both contestants, and would count twice if the two were treated as independent.
 *
 * @param pairs times of one and of the other in the same repetition
 * @returns undefined without any
 */
export function less(pairs: readonly (readonly [own: number, other: number])[]): Less | undefined {
  if (pairs.length === 0) return undefined;
  const base = mean(pairs.map(([, other]) => other));
  const share = mean(pairs.map(([own]) => own)) / base;
  const apart = deviation(pairs.map(([own, other]) => own - share * other));
  return { percent: 100 * (1 - share), within: (200 * apart) / (Math.sqrt(pairs.length) * base) };
}

/** Node 20 has no Map.groupBy. */
function grouped<T>(items: readonly T[], key: (item: T) => readonly unknown[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = JSON.stringify(key(item));
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
