import type { SharedConnections } from '../node/shared-listening.js';

/** Interval of the reports to workers, in milliseconds. A shorter wait does not count. */
const PERIOD = 20;

/**
 * Measures how long connections wait in the supervisor until a worker accepts them. node:cluster gives a worker one
 * connection at a time, and a busy worker accepts one in each turn of its loop. So many connections may wait here
 * although no turn of a worker is late.
 *
 * @param connections those of the supervisor
 * @param hold milliseconds for which a wait is valid if no other connection is accepted
 * @param tell called with the wait of the last accepted connection in milliseconds, when it has changed; 0 if none waits
 */
export function followWaitingConnections(
  connections: SharedConnections,
  hold: number,
  tell: (waited: number) => void,
): void {
  let last = 0;
  let taken = 0;
  let told = 0;
  connections.waited = (since) => {
    taken = performance.now();
    last = taken - since;
  };
  setInterval(() => {
    const now = last < PERIOD || performance.now() - taken > hold ? 0 : last;
    if (now !== told) tell((told = now));
  }, PERIOD).unref();
}
