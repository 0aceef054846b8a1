import type { Sample } from '../measure.js';
import { median } from '../stats.js';

/** The median of some values, and their range. */
export interface Band {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

export const bandOf = (values: readonly number[]): Band => ({
  middle: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
});

/** One contestant at one number of connections: its rounds. */
export interface Group<S extends Sample = Sample> {
  readonly contestant: string;
  readonly connections: number;
  readonly samples: readonly S[];
}

/** The samples by contestant and connections, in the order of their first appearance. */
export function groupsOf<S extends Sample>(samples: readonly S[]): Group<S>[] {
  const groups = new Map<string, Group<S>>();
  for (const sample of samples) {
    const { contestant, connections } = sample;
    const key = JSON.stringify([contestant, connections]);
    groups.set(key, { contestant, connections, samples: [...(groups.get(key)?.samples ?? []), sample] });
  }
  return [...groups.values()];
}

export const perSecond = ({ requests, seconds }: Sample): number => (seconds > 0 ? requests / seconds : 0);
export const cpu = (sample: Sample): number => sample.cpu;

/** The band of a figure over a group's rounds. */
export const band = <S extends Sample>({ samples }: Group<S>, figure: (sample: S) => number): Band =>
  bandOf(samples.map(figure));
