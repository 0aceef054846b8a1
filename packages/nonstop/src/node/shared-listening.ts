import type net from 'node:net';
import { serverMethods } from './classes.js';

/** The part of a listening handle and of those of its connections that is used here. */
interface Listening {
  onconnection?(this: unknown, error: number, connection?: { close(...args: unknown[]): unknown }): void;
}

type Server = net.Server & { readonly _handle?: Listening | null };

/**
 * Measures in the process that shares its ports (`node:cluster`) how long each connection waits until a worker has it. Must be called before
 * the first worker listens.
 *
 * node:cluster takes the handle out of its own server and sets `onconnection` on it. It closes a connection as soon as a worker has it.
 * If a Node does otherwise, `waited` is never called.
 *
 * @param waited told in milliseconds, by the clock of `performance.now()`, since when the connection waited that a worker has now
 */
export function followSharedConnections(waited: (since: number) => void): void {
  const { listen } = serverMethods;
  serverMethods.listen = function (this: net.Server, ...args) {
    this.once('listening', () => {
      const { _handle: handle } = this as Server;
      // The listener of node:cluster comes behind this one.
      process.nextTick(() => {
        if (handle != null && (this as Server)._handle === null) measure(handle, waited);
      });
    });
    return listen.apply(this, args);
  };
}

function measure(handle: Listening, waited: (since: number) => void): void {
  const { onconnection } = handle;
  if (typeof onconnection !== 'function') return;
  handle.onconnection = function (error, connection) {
    if (connection !== undefined) {
      const { close } = connection;
      const since = performance.now();
      connection.close = function (...args) {
        waited(since);
        return close.apply(this, args);
      };
    }
    onconnection.call(this, error, connection);
  };
}
