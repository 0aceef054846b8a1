import { once } from 'node:events';
import { ask, usualPatience, type Answer } from './ask.js';
import type { Settings } from './measure.js';
import type { Peer } from './peer.js';
import type { Scenario } from './scenario.js';

/** The most requests at once: more show nothing else. */
const MOST = 50;

/** Milliseconds to wait: a connection may close before the exit of its process is reported. */
const grace = 500;

export interface Asking extends Pick<Settings, 'connections'> {
  readonly signal: AbortSignal;
}

/**
 * Sends a request once, and then as often at once as a load does, and waits for every answer. Generators do not tell of a request that is
 * never answered: it is no error, only a connection on which nothing happens any more.
 *
 * @returns the first answer
 * @throws {Error} if one is missing, if the process has ended, or if `signal` aborts
 */
export async function answerEach(
  peer: Peer,
  { request, load }: Pick<Scenario, 'request' | 'load'>,
  { connections, signal }: Asking,
): Promise<Answer> {
  const count = Math.min(MOST, (load?.connections ?? connections) * (load?.streams ?? 1));
  const began = performance.now();
  try {
    const first = await ask(peer.port, request, load);
    // The last of them waits for all others, if each keeps the server's core busy.
    const patience = Math.max(usualPatience, Math.ceil(2 * count * (performance.now() - began)));
    const asked = Array.from({ length: count }, () => ask(peer.port, request, load, patience));
    const outcomes = await unlessAborted(signal, Promise.allSettled(asked));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failed.length === 0) return first;
    throw new Error(`${failed.length} of ${count} requests at once failed: ${(failed[0].reason as Error).message}`);
  } catch (error) {
    signal.throwIfAborted();
    throw (await peer.ends(grace)) ? new Error(peer.obituary(), { cause: error }) : error;
  }
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const over = new AbortController();
  const aborted = once(signal, 'abort', { signal: over.signal }).then(() => Promise.reject(signal.reason as Error));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    aborted.catch(() => undefined);
    over.abort();
  }
}
