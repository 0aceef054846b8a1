import { hidden } from '../core/hidden.js';
import net from 'node:net';

/** The part of a listening handle and of those of its connections that is used here. */
interface Listening {
  onconnection(this: unknown, error: number, connection?: { close(...args: unknown[]): unknown }): void;
}

type Server = net.Server & { _handle: Listening | null };

/** How often workers are told, in milliseconds. A connection that has waited for less has not waited. */
const PERIOD = 20;

/**
 * Measures how long connections wait in the supervisor until a worker has taken them. node:cluster gives a worker one at a time: one that is busy
 * takes one in each turn of its loop, so that a crowd waits here while no turn of a worker is late.
 *
 * @param hold milliseconds for which a wait holds when no other connection is taken
 * @param tell told in milliseconds how long the connection waited that was taken last, whenever that has changed; 0 where none waits
 */
export function followHandOver(hold: number, tell: (waited: number) => void): void {
  let last = 0;
  let taken = 0;
  let told = 0;
  const waited = (since: number): void => {
    taken = performance.now();
    last = taken - since;
  };
  const prototype = hidden<{ listen(this: net.Server, ...args: unknown[]): net.Server }>(net.Server.prototype);
  const { listen } = prototype;
  prototype.listen = function (this: net.Server, ...args) {
    this.once('listening', () => {
      const { _handle: handle } = this as Server;
      // node:cluster takes the handle out of its server, in a listener behind this one.
      process.nextTick(() => {
        if (handle !== null && (this as Server)._handle === null) measure(handle, waited);
      });
    });
    return listen.apply(this, args);
  };
  setInterval(() => {
    const now = last < PERIOD || performance.now() - taken > hold ? 0 : last;
    if (now !== told) tell((told = now));
  }, PERIOD).unref();
}

function measure(handle: Listening, waited: (since: number) => void): void {
  const { onconnection } = handle;
  handle.onconnection = function (error, connection) {
    if (connection !== undefined) {
      const { close } = connection;
      const since = performance.now();
      // It is closed here as soon as a worker has it.
      connection.close = function (...args) {
        waited(since);
        return close.apply(this, args);
      };
    }
    onconnection.call(this, error, connection);
  };
}
