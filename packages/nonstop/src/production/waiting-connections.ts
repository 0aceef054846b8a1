import { followSharedConnections } from '../node/shared-listening.js';

/** How often workers are told, in milliseconds. A connection that has waited for less has not waited. */
const PERIOD = 20;

/**
 * Measures how long connections wait in the supervisor until a worker has taken them. node:cluster gives a worker one at a time: one that is busy
 * takes one in each turn of its loop, so that a crowd waits here while no turn of a worker is late.
 *
 * @param hold milliseconds for which a wait holds when no other connection is taken
 * @param tell told in milliseconds how long the connection waited that was taken last, whenever that has changed; 0 where none waits
 */
export function followWaitingConnections(hold: number, tell: (waited: number) => void): void {
  let last = 0;
  let taken = 0;
  let told = 0;
  followSharedConnections((since) => {
    taken = performance.now();
    last = taken - since;
  });
  setInterval(() => {
    const now = last < PERIOD || performance.now() - taken > hold ? 0 : last;
    if (now !== told) tell((told = now));
  }, PERIOD).unref();
}
