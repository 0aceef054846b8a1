import type { Sample } from './measure.js';
import { median, spread } from './stats.js';

/** One contestant in one scenario on one Node: medians over its rounds. */
export interface Row {
  readonly node: string;
  readonly scenario: string;
  readonly contestant: string;
  readonly connections: number;
  readonly rounds: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds for each request. */
  readonly cpu: number;
  /** Highest minus lowest CPU time per request, as a share of the median. */
  readonly cpuSpread: number;
  /** The server's use of its core: below 1 the generator was the limit, and requests/s mean little. */
  readonly busy: number;
  /** Bytes. */
  readonly rss: number;
}

/** The samples as rows, in the order in which their contestants first appear. */
export function summarise(samples: readonly Sample[]): Row[] {
  // Node 20 has no Map.groupBy.
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = JSON.stringify([sample.node, sample.scenario, sample.connections, sample.contestant]);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups.values()].map((group) => {
    const middle = (value: (sample: Sample) => number): number => median(group.map(value));
    const { node, scenario, contestant, connections } = group[0];
    return {
      node,
      scenario,
      contestant,
      connections,
      rounds: group.length,
      perSecond: middle(({ requests, seconds }) => requests / seconds),
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      cpu: middle(({ cpu }) => cpu),
      cpuSpread: spread(group.map(({ cpu }) => cpu)),
      busy: middle(({ cpu, requests, seconds }) => (cpu * requests) / (seconds * 1e6)),
      rss: middle(({ rss }) => rss),
    };
  });
}

/** A line for a table in which requests/s are not those of each server; undefined if they are. */
export const limitLine = (rows: readonly Row[]): string | undefined =>
  rows.some(({ busy }) => busy < 0.9)
    ? 'Where the server was busy below 90 % the generator, or something else on this machine, was the limit: go by the CPU time.'
    : undefined;

/** The figures by which rows can be compared. */
export type Figure = 'cpu' | 'rss' | 'perSecond' | 'p99';

/**
 * A figure of a row as a share of another contestant's in the same scenario, at the same connections, on the same Node.
 *
 * @returns undefined if that contestant has no samples there, or its figure is zero
 */
export function ratio(row: Row, rows: readonly Row[], contestant: string, figure: Figure = 'cpu'): number | undefined {
  const base = rows.find(
    (other) =>
      other.contestant === contestant &&
      other.scenario === row.scenario &&
      other.connections === row.connections &&
      other.node === row.node,
  );
  return base && base[figure] > 0 ? row[figure] / base[figure] : undefined;
}
