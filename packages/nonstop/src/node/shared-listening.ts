import type { ChildProcess } from 'node:child_process';
import type net from 'node:net';
import { serverMethods } from './classes.js';

/** The used part of a connection's handle. */
interface Connection {
  close(...args: unknown[]): unknown;
}

/** The used part of a listening handle. */
interface Listening {
  onconnection?(this: unknown, error: number, connection?: Connection): void;
  close(...args: unknown[]): unknown;
}

/** Interval of the checks for the end of a worker's channel, in milliseconds. */
const PERIOD = 10;

type Server = net.Server & { readonly _handle?: Listening | null };

/** A connection that no worker has accepted yet. */
interface Waiting {
  /** Sends it to a worker again. */
  readonly again: () => void;
  /** The process that it was sent to last. */
  sentTo: ChildProcess | undefined;
}

/**
 * Follows the connections of the ports that this process shares with workers (`node:cluster`), from their arrival until a worker has them. Must
 * be created before the first worker listens.
 *
 * node:cluster takes the handle out of its own server and sets `onconnection` on it. It sends a connection by the worker's `send()`, and closes it
 * as soon as the worker has it. If a Node does otherwise, no connection is followed.
 */
export class SharedConnections {
  /** Called when a worker has accepted a connection, with the time of its arrival by `performance.now()`. */
  waited: ((since: number) => void) | undefined = undefined;
  private readonly waiting = new Map<unknown, Waiting>();

  constructor() {
    const { listen } = serverMethods;
    const follow = (handle: Listening): void => this.followListening(handle);
    serverMethods.listen = function (this: net.Server, ...args) {
      this.once('listening', () => {
        const { _handle: handle } = this as Server;
        // The listener of node:cluster is called after this one.
        process.nextTick(() => {
          if (handle != null && (this as Server)._handle === null) follow(handle);
        });
      });
      return listen.apply(this, args);
    };
  }

  private followListening(listening: Listening): void {
    const { onconnection, close: stop } = listening;
    if (typeof onconnection !== 'function') return;
    let open = true;
    listening.close = function (...args) {
      open = false;
      return stop.apply(this, args);
    };
    const arrived = (connection: Connection, close: () => unknown): void => {
      const again = (): void => {
        // Once listening has ended no worker would take it.
        if (open) onconnection.call(listening, 0, connection);
        else close();
      };
      this.waiting.set(connection, { again, sentTo: undefined });
    };
    const taken = (connection: Connection, since: number): void => {
      if (this.waiting.delete(connection)) this.waited?.(since);
    };
    listening.onconnection = function (error, connection) {
      if (connection !== undefined) {
        const { close } = connection;
        const since = performance.now();
        arrived(connection, () => close.call(connection));
        const closeTaken = function (this: Connection, ...args: Parameters<typeof close>): unknown {
          taken(connection, since);
          return close.apply(this, args);
        };
        connection.close = closeTaken;
      }
      onconnection.call(this, error, connection);
    };
  }

  /**
   * Gives connections that were sent to a worker, and that it has not taken when it ends, to another worker. node:cluster keeps them open
   * without an answer, and their clients would wait for ever.
   */
  follow(worker: ChildProcess): void {
    const { waiting } = this;
    const { send } = worker;
    // A process that could not be started has no channel.
    if (typeof send !== 'function') return;
    worker.send = function (message: unknown, handle?: unknown, ...rest: unknown[]) {
      const connection = handle === undefined ? undefined : waiting.get(handle);
      if (connection !== undefined) connection.sentTo = worker;
      return (send as (...args: unknown[]) => boolean).call(this, message, handle, ...rest);
    };
    const ended = (): void => {
      // When it is disconnected, all its messages were read. A worker that has not accepted a connection has no 'disconnect' event.
      if (worker.connected) {
        setTimeout(ended, PERIOD);
        return;
      }
      const left = [...waiting.values()].filter(({ sentTo }) => sentTo === worker);
      for (const each of left) each.sentTo = undefined;
      for (const { again } of left) again();
    };
    worker.once('exit', ended);
  }
}
