import fc = require('fast-check');
import { isDeepStrictEqual } from 'node:util';
import { performBoth, performAlone, type Seen } from '../../support/plays.js';
import { told, unlike, type Unlike } from '../../support/seen-differences.js';
import { anyProgram } from './generate.js';
import { endsAfterUnread, knownUnlike, readsBehindReset, withoutOrder } from './known.js';
import { playOf } from './play.js';
import type { Program } from './program.js';
import { runnable } from './source.js';

export interface Run {
  readonly seed: number;
  readonly count: number;
  /** Called from time to time with the progress. */
  readonly progress?: (done: number) => void;
}

/** Programs with the same difference; the first of them is shrunk. */
export interface Group {
  readonly signature: string;
  count: number;
  readonly seed: number;
  readonly index: number;
  readonly program: Program;
  readonly unlike: readonly Unlike[];
}

export interface Outcome {
  readonly groups: readonly Group[];
  /** Programs for which node itself gives two different results. */
  readonly races: number;
}

const LANES = 12;
/** How often a program is repeated if the doors differ, before the difference counts. */
const REPEATS = 3;
/** How many smaller programs are tried. */
const SHRINK_TRIES = 150;

/** Runs random programs on node:http and on the engine. @returns the differences, shrunk and grouped */
export async function differences({ seed, count, progress }: Run): Promise<Outcome> {
  const groups = new Map<string, Group>();
  let races = 0;
  let next = 0;
  const one = async (index: number): Promise<void> => {
    const found = await firstOf(seed, index);
    if (found === 'race') races++;
    if (found === undefined || found === 'race') return;
    const known = groups.get(found.signature);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const group: Group = { ...found, count: 1, seed, index };
    groups.set(found.signature, group);
    Object.assign(group, await shrunk(seed, index, found));
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

/** @returns a group as a script that can be run */
export function asScript({ signature, count, seed, index, program, unlike }: Group): string {
  return [
    `=== ${count} of these: ${signature}`,
    `seed ${seed}, program ${index}`,
    ...unlike.map((each) => `  ${told(each)}`),
    runnable(program),
  ].join('\n');
}

type Found = Pick<Group, 'signature' | 'program' | 'unlike'>;

type First = Found | 'race' | undefined;

async function firstOf(seed: number, index: number): Promise<First> {
  let found: First;
  await fc.check(
    fc.asyncProperty(anyProgram, async (program) => {
      found = await judge(program);
    }),
    { seed: seedOf(seed, index), numRuns: 1 },
  );
  return found;
}

/** The seed gives the same program; then fast-check looks for a smaller one with the same difference. */
async function shrunk(seed: number, index: number, first: Found): Promise<Partial<Found>> {
  let smallest: Partial<Found> = {};
  let tries = SHRINK_TRIES;
  await fc.check(
    fc.asyncProperty(anyProgram, async (program) => {
      if (tries-- <= 0) return true;
      const found = await once(program);
      if (found === undefined || found.signature !== first.signature) return true;
      smallest = found;
      return false;
    }),
    { seed: seedOf(seed, index), numRuns: 1 },
  );
  return smallest;
}

const seedOf = (seed: number, index: number): number => (Math.imul(seed, 0x9e3779b1) + index) | 0;

/** Runs a program once: a difference may be a race. */
async function once(program: Program): Promise<Found | undefined> {
  const [node, engine] = await performBoth(playOf(program));
  const left = unknown(program, node, engine);
  return left.length === 0 ? undefined : { signature: signatureOf(left[0]), program, unlike: left };
}

async function judge(program: Program): Promise<Found | 'race' | undefined> {
  const play = playOf(program);
  const [node, engine] = await performBoth(play);
  if (unknown(program, node, engine).length === 0) return undefined;
  const nodes: Seen[] = [node];
  for (let i = 0; i < REPEATS; i++) {
    const again = i === 0 ? await performBoth(play) : await performAlone(play);
    nodes.push(again[0]);
    if (!isDeepStrictEqual(again[0], node)) return 'race';
    const left = unknown(program, node, again[1]);
    if (left.length === 0) return 'race';
    if (i === REPEATS - 1) return { signature: signatureOf(left[0]), program, unlike: left };
  }
  return undefined;
}

function unknown(program: Program, node: Seen, engine: Seen): Unlike[] {
  const [nodeSeen, engineSeen] = [node, engine].map((seen) => withBodies(seen));
  if (unlike(nodeSeen, engineSeen).length === 0) return [];
  // An assertion inside node has failed (docs/compat).
  const uncaught = node.notes['uncaught'] ?? [];
  if (uncaught.some((error) => error.includes('ERR_INTERNAL_ASSERTION'))) return [];
  // A process usually ends at its first uncaught error, and so does node's parser if it was thrown during a read: later notes do not count.
  if (uncaught.length > 0 && engine.notes['uncaught']?.[0] === uncaught[0]) return [];
  if (endsAfterUnread(program, node, engine) || readsBehindReset(program, node, engine)) return [];
  return unlike(...withoutOrder(program, nodeSeen, engineSeen)).filter(
    (each) => knownUnlike(each, program) === undefined,
  );
}

const DATA = /^data (?:octets )?"(.*)"(?: in .*)?$/;

/**
 * Only the octets of a body are compared: how it is cut, and in which ticks its pieces arrive, may differ (docs/compat).
 */
function withBodies(seen: Seen): Seen {
  const notes: Record<string, readonly string[]> = {};
  for (const [source, all] of Object.entries(seen.notes)) {
    notes[source] = all.filter((text) => !text.startsWith('data '));
    const pieces = all.map((text) => DATA.exec(text)?.[1]).filter((text) => text !== undefined);
    if (pieces.length > 0) notes[`body of ${source}`] = [pieces.join('')];
  }
  return { ...seen, notes };
}

/** The first difference, without numbers, which often differ from program to program. */
function signatureOf({ source, node, engine }: Unlike): string {
  const plain = (text: string): string => text.replaceAll(/\d+/g, 'N').slice(0, 160);
  return `${plain(source)}: node ${plain(node)} | engine ${plain(engine)}`;
}
