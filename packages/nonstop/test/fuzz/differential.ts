import { isDeepStrictEqual } from 'node:util';
import { doors } from '../support/doors.js';
import { seeded } from '../support/seeded.js';
import { randomSplit } from '../support/splits.js';
import { isRefusal, mayRefuse } from '../support/stricter.js';
import { message } from './message.js';
import { Observer, type Call, type Observation } from './observe.js';

export interface Run {
  readonly seed: number;
  readonly count: number;
  /** Called from time to time with the progress. */
  readonly progress?: (done: number) => void;
}

/** A connection on which the doors differ, shrunk as far as possible. */
export interface Difference {
  readonly seed: number;
  readonly index: number;
  readonly pieces: readonly Buffer[];
  readonly node: Observation;
  readonly engine: Observation;
}

/** Connections at the same time: most of a message's time is spent waiting for the event loop. */
const LANES = 16;
/** Further differences would tell nothing new. */
const ENOUGH = 8;
const SHRINK_TRIES = 400;

/**
 * Sends the same generated connections to node:http and to the engine, and compares the handlers' arguments and the answers.
 * @returns the differences, each shrunk
 */
export async function differences({ seed, count, progress }: Run): Promise<Difference[]> {
  const [oracle, engine] = await Promise.all(doors.map((door) => Observer.open(door)));
  const pair: Pair = { oracle, engine };
  const found: Difference[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count && found.length < ENOUGH) {
      const index = next++;
      const pieces = piecesOf(seed, index);
      if ((await compare(pair, pieces)) !== undefined) {
        const small = await shrink(pair, pieces);
        const seen = await compare(pair, small);
        if (seen !== undefined) found.push({ seed, index, pieces: small, ...seen });
      }
      if (index % 500 === 499) progress?.(index + 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    await Promise.all([oracle.close(), engine.close()]);
  }
  return found;
}

/** @returns a difference as a scenario for the cases of test/http/bad-input.test.ts */
export function asCase({ seed, index, pieces, node, engine }: Difference): string {
  const texts = pieces.map((piece) => JSON.stringify(piece.toString('latin1')));
  const send = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return [
    `{ name: 'seed ${seed}, message ${index}', send: ${send}, answers: 0, then: 'finish' },`,
    `  node:   ${JSON.stringify(node)}`,
    `  engine: ${JSON.stringify(engine)}`,
  ].join('\n');
}

// A request line without a version: llhttp has remnants of HTTP/0.9, which end differently in each version of Node.
const HTTP_0_9 = /[A-Z-]+ [^ \r\n]*[\r\n]/;

// CONNECT, and an upgrade without a listener, end node's parsing of that read: whether the rest of it is lost is chance. A head with
// nothing behind it is compared; test/http/upgrade.test.ts tests the others one at a time.
const HANDED_OVER = /(?:CONNECT |connection:[^\r\n]*upgrade)[^]*\r\n\r\n[^]/i;

interface Pair {
  readonly oracle: Observer;
  readonly engine: Observer;
}

function piecesOf(seed: number, index: number): Buffer[] {
  const random = seeded(Math.imul(seed, 0x9e3779b1) + index);
  const bytes = Buffer.from(message(random), 'latin1');
  return random.chance(0.5) ? [bytes] : randomSplit(bytes, 6, random);
}

async function compare(
  pair: Pair,
  pieces: readonly Buffer[],
): Promise<{ node: Observation; engine: Observation } | undefined> {
  const text = Buffer.concat(pieces).toString('latin1');
  if (HTTP_0_9.test(text) || HANDED_OVER.test(text)) return undefined;
  const [node, engine] = await Promise.all([pair.oracle.play(pieces), pair.engine.play(pieces)]);
  if (isDeepStrictEqual(node, engine)) return undefined;
  if (sameFault(node, engine) && sameUpToTheBreak(node, engine)) return undefined;
  if (isRefusal(engine.wire) && mayRefuse(text) !== undefined) return undefined;
  return { node, engine };
}

/** Fields that frame the message are checked when their line is complete: if the line has two faults, each door may report another. */
function sameFault({ fault }: Observation, engine: Observation): boolean {
  return fault === engine.fault || (/Content-Length|Transfer-Encoding/.test(fault ?? '') && engine.fault !== undefined);
}

/**
 * Good requests and garbage in one read: node destroys the connection within the read, before the ticks in which queued
 * answers are sent, so that the number of sent answers is chance. After an answer that closes the connection node still
 * calls handlers, whose answers cannot be sent; the engine stops reading.
 */
function sameUpToTheBreak(node: Observation, engine: Observation): boolean {
  const refused = engine.broken || engine.fault !== undefined;
  if (refused && isDeepStrictEqual(cutAlike(node.calls), cutAlike(engine.calls))) {
    return engine.wire.startsWith(node.wire) || (node.broken && node.wire.startsWith(engine.wire));
  }
  const closed = node.wire === engine.wire && /^Connection: close\r$/m.test(engine.wire);
  return closed && isDeepStrictEqual(node.calls.slice(0, engine.calls.length), engine.calls);
}

/** The calls, with one kind of incomplete end: whether a request hears of the break is chance if its answer still waits. */
function cutAlike(calls: readonly Call[]): unknown[] {
  return calls.map((call) => ({ ...call, ended: call.ended === 'complete' ? 'complete' : 'cut' }));
}

/** Removes ever smaller ranges as long as the doors still differ. */
async function shrink(pair: Pair, pieces: readonly Buffer[]): Promise<Buffer[]> {
  const budget = { tries: SHRINK_TRIES };
  const differs = async (candidate: readonly Buffer[]): Promise<boolean> =>
    candidate.length > 0 && budget.tries-- > 0 && (await compare(pair, candidate)) !== undefined;
  const joined = [Buffer.concat(pieces)];
  let best = pieces.length > 1 && (await differs(joined)) ? joined : [...pieces];
  for (const stretch of halvings(joined[0].length)) {
    for (let at = 0; at < Buffer.concat(best).length && budget.tries > 0;) {
      const candidate = without(best, at, stretch);
      if (await differs(candidate)) best = candidate;
      else at += stretch;
    }
  }
  return best;
}

/** @returns half of the length, a quarter, … 1 */
function halvings(length: number): number[] {
  const all: number[] = [];
  for (let stretch = Math.floor(length / 2); stretch >= 1; stretch = Math.floor(stretch / 2)) all.push(stretch);
  return all;
}

/** Removes `length` bytes at `from`, and keeps the cuts between pieces. */
function without(pieces: readonly Buffer[], from: number, length: number): Buffer[] {
  let start = 0;
  const kept: Buffer[] = [];
  for (const piece of pieces) {
    const left = piece.subarray(0, Math.max(0, from - start));
    const right = piece.subarray(Math.min(piece.length, Math.max(0, from + length - start)));
    const rest = Buffer.concat([left, right]);
    if (rest.length > 0) kept.push(rest);
    start += piece.length;
  }
  return kept;
}
