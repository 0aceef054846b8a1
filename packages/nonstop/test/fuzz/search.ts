import fc = require('fast-check');
import { isDeepStrictEqual } from 'node:util';
import { atOnce, oneByOne, type Seen, type Sides } from '../support/plays.js';
import { told, type Unlike } from '../support/seen-differences.js';

export interface Run {
  readonly seed: number;
  readonly count: number;
  /** Called from time to time with the progress. */
  readonly progress?: (done: number) => void;
}

/** What random programs are, and how two sides run them. */
export interface Subject<P> {
  readonly any: fc.Arbitrary<P>;
  /** The sides that run a program; the first is the oracle. */
  readonly sidesOf: (program: P) => Sides;
  /** @returns the differences that have no known reason */
  readonly unknown: (program: P, node: Seen, engine: Seen) => Unlike[];
}

/** Programs with the same difference; the first of them is shrunk. */
export interface Group<P> {
  readonly signature: string;
  count: number;
  readonly seed: number;
  readonly index: number;
  readonly program: P;
  readonly unlike: readonly Unlike[];
}

export interface Outcome<P> {
  readonly groups: readonly Group<P>[];
  /** Programs for which the oracle itself gives two different results. */
  readonly races: number;
}

type Found<P> = Pick<Group<P>, 'signature' | 'program' | 'unlike'>;

const LANES = 12;
/** How often a program is repeated if the sides differ, before the difference counts. */
const REPEATS = 3;
/** How many smaller programs are tried. */
const SHRINK_TRIES = 150;

/** Runs random programs on both sides. @returns the differences, shrunk and grouped */
export async function search<P>(subject: Subject<P>, { seed, count, progress }: Run): Promise<Outcome<P>> {
  const groups = new Map<string, Group<P>>();
  let races = 0;
  let next = 0;
  const one = async (index: number): Promise<void> => {
    const found = await firstOf(subject, seedOf(seed, index));
    if (found === 'race') races++;
    if (found === undefined || found === 'race') return;
    const known = groups.get(found.signature);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const group: Group<P> = { ...found, count: 1, seed, index };
    groups.set(found.signature, group);
    Object.assign(group, await shrunk(subject, seedOf(seed, index), found));
  };
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      await one(index);
      if (index % 1000 === 999) progress?.(index + 1);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { groups: [...groups.values()].sort((a, b) => b.count - a.count), races };
}

/** @returns a group as text, with a program that can be run */
export function describe<P>(
  { signature, count, seed, index, program, unlike }: Group<P>,
  source: (program: P) => string,
): string {
  return [
    `=== ${count} of these: ${signature}`,
    `seed ${seed}, program ${index}`,
    ...unlike.map((each) => `  ${told(each)}`),
    source(program),
  ].join('\n');
}

async function firstOf<P>(subject: Subject<P>, seed: number): Promise<Found<P> | 'race' | undefined> {
  let found: Found<P> | 'race' | undefined;
  await fc.check(
    fc.asyncProperty(subject.any, async (program) => {
      found = await judge(subject, program);
    }),
    { seed, numRuns: 1 },
  );
  return found;
}

/** The seed gives the same program; then fast-check looks for a smaller one with the same difference. */
async function shrunk<P>(subject: Subject<P>, seed: number, first: Found<P>): Promise<Partial<Found<P>>> {
  let smallest: Partial<Found<P>> = {};
  let tries = SHRINK_TRIES;
  await fc.check(
    fc.asyncProperty(subject.any, async (program) => {
      if (tries-- <= 0) return true;
      const found = await once(subject, program);
      if (found === undefined || found.signature !== first.signature) return true;
      smallest = found;
      return false;
    }),
    { seed, numRuns: 1 },
  );
  return smallest;
}

const seedOf = (seed: number, index: number): number => (Math.imul(seed, 0x9e3779b1) + index) | 0;

/** Runs a program once: a difference may be a race. */
async function once<P>(subject: Subject<P>, program: P): Promise<Found<P> | undefined> {
  const [node, engine] = await atOnce(subject.sidesOf(program));
  const left = subject.unknown(program, node, engine);
  return left.length === 0 ? undefined : { signature: signatureOf(left[0]), program, unlike: left };
}

async function judge<P>(subject: Subject<P>, program: P): Promise<Found<P> | 'race' | undefined> {
  const sides = subject.sidesOf(program);
  const [node, engine] = await atOnce(sides);
  if (subject.unknown(program, node, engine).length === 0) return undefined;
  for (let i = 0; i < REPEATS; i++) {
    const again = i === 0 ? await atOnce(sides) : await oneByOne(sides);
    if (!isDeepStrictEqual(again[0], node)) return 'race';
    const left = subject.unknown(program, node, again[1]);
    if (left.length === 0) return 'race';
    if (i === REPEATS - 1) return { signature: signatureOf(left[0]), program, unlike: left };
  }
  return undefined;
}

/** The first difference, without numbers, which often differ from program to program. */
function signatureOf({ source, node, engine }: Unlike): string {
  const plain = (text: string): string => text.replaceAll(/\d+/g, 'N').slice(0, 160);
  return `${plain(source)}: node ${plain(node)} | engine ${plain(engine)}`;
}

const DATA = /^data (?:octets )?"(.*)"(?: in .*)?$/;

/**
 * Only the octets of a body are compared: how it is cut, and in which ticks its pieces arrive, may differ (docs/compat).
 */
export function withBodies(seen: Seen): Seen {
  const notes: Record<string, readonly string[]> = {};
  for (const [source, all] of Object.entries(seen.notes)) {
    notes[source] = all.filter((text) => !text.startsWith('data '));
    const pieces = all.map((text) => DATA.exec(text)?.[1]).filter((text) => text !== undefined);
    if (pieces.length > 0) notes[`body of ${source}`] = [pieces.join('')];
  }
  return { ...seen, notes };
}
