import type { Published, Verb } from './contract.js';
import type { Row, Summary } from './statistics.js';

export type Clock = 'client' | 'server';

/** A published comparison, and its result here with one verb or with all of them together. */
export interface Compared extends Less {
  readonly published: Published;
  readonly verb: Verb | 'all';
  /** Where the time was measured. */
  readonly of: string;
  readonly against: string;
}

/** How much less time one needed than another, in percent; negative if it needed more. */
export interface Less {
  readonly percent: number;
  /** Two standard errors: a smaller difference is not significant. Undefined for a single sample. */
  readonly within: number | undefined;
}

/**
 * Each published comparison beside the measured ones: of the same contestants, and with Nonstop in place of the
 * published winner.
 */
export function compare(published: readonly Published[], rows: readonly Row[], clock: Clock): Compared[] {
  return published.flatMap((one) => {
    const here = rows.filter(({ shape }) => shape === one.shape);
    const others = here.filter(({ contestant }) => matches(contestant, one.against));
    return others.flatMap((other) =>
      here
        .filter(
          ({ verb, contestant }) => verb === other.verb && (matches(contestant, one.of) || contestant === 'Nonstop'),
        )
        .map((row) => ({
          published: one,
          verb: row.verb,
          of: row.contestant,
          against: other.contestant,
          ...lessTime(row[clock], other[clock]),
        })),
    );
  });
}

/** The contestants with which a published comparison is measured; none unless both sides took part. */
export function compared({ of, against }: Published, contestants: readonly string[]): string[] {
  const other = contestants.some((name) => matches(name, against));
  return other ? contestants.filter((name) => matches(name, of) || name === 'Nonstop') : [];
}

/** By the means of both, in percent of the other's. */
export function lessTime(own: Summary, other: Summary): Less {
  // A clock with a low resolution may give only zeros.
  if (own.mean === 0 || other.mean === 0) return { percent: 0, within: undefined };
  const share = own.mean / other.mean;
  const percent = (1 - share) * 100;
  if (own.deviation === undefined || other.deviation === undefined) return { percent, within: undefined };
  const error = Math.hypot(
    own.deviation / own.mean / Math.sqrt(own.count),
    other.deviation / other.mean / Math.sqrt(other.count),
  );
  return { percent, within: 2 * share * error * 100 };
}

/** `Express` stands for any of its versions. */
const matches = (contestant: string, name: string): boolean =>
  contestant === name || (contestant.startsWith(`${name} `) && /^\d+$/.test(contestant.slice(name.length + 1)));
