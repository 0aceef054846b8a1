import type { Seeded } from './seeded.js';

/**
 * All ways to cut bytes in two, and all single bytes: the splits at which a parser's handling of incomplete input goes wrong.
 * @returns lists of pieces, each joining to the input
 */
export function* everySplit(bytes: Buffer): Generator<Buffer[]> {
  yield [bytes];
  for (let at = 1; at < bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
}

/** Cuts bytes into at most `most` pieces at random places. @returns the pieces, in order, none empty unless the input is */
export function randomSplit(bytes: Buffer, most: number, random: Seeded): Buffer[] {
  const cuts = new Set<number>();
  const wanted = random.below(most);
  for (let i = 0; i < wanted && bytes.length > 1; i++) cuts.add(1 + random.below(bytes.length - 1));
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
}
