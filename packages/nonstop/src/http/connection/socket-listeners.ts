import { Socket } from 'node:net';
import { defineOwn } from '../../core/define-own.js';
import { socketEncodingError } from '../../core/errors.js';
import { isOnlyReader, readDirectly, startHandle, stopHandle } from '../../node/handle-reads.js';
import type { SocketState } from '../../node/message-state.js';
import { asBuffer } from '../../node/octets.js';
import { hasLostHandle } from '../../node/sockets.js';
import type { EngineResponse, NodeServer } from '../message.js';

/** The connection's methods that the socket's listeners call. */
export interface SocketOwner {
  /**
   * @param lent true: `chunk` may be overwritten as soon as the call returns or runs a handler
   * @param atOnce true: other code reads the socket's stream, or it has no handle. node's parser is called from JavaScript then,
   * and no ticks run between the parts of a read
   * @returns whether more octets of the same message are expected
   */
  receive(chunk: Buffer, lent: boolean, atOnce: boolean): number;
  peerEnded(): void;
  closed(): void;
  fail(error: Error): void;
  timedOut(): void;
  drained(): void;
  /** The socket is being sent to another process: nothing may refer to the connection any more. */
  sentAway(): void;
}

const kOwner: unique symbol = Symbol('nonstop.owner');

/** A socket that carries HTTP, with the properties that node and packages set on it. */
export interface HttpSocket extends Socket, SocketState<EngineResponse> {
  server?: NodeServer;
  [kOwner]?: SocketOwner;
}

function noop(): void {}

// All connections share these functions: a listener costs a slot on the socket, not a closure.
const listeners = {
  timeout(this: HttpSocket): void {
    this[kOwner]!.timedOut();
  },
  data(this: HttpSocket, chunk: Buffer, lent?: boolean): number {
    // `lent` is given by the direct read alone.
    if (lent !== undefined) return this[kOwner]!.receive(chunk, lent, false);
    // A stream in object mode, given to the server by a program, may have parts that are no buffers.
    return this[kOwner]!.receive(asBuffer(chunk), false, !isOnlyReader(this, listeners.data));
  },
  error(this: HttpSocket, error: Error): void {
    this[kOwner]!.fail(error);
  },
  end(this: HttpSocket): void {
    this[kOwner]!.peerEnded();
  },
  close(this: HttpSocket): void {
    this[kOwner]!.closed();
  },
  drain(this: HttpSocket): void {
    this[kOwner]!.drained();
  },
  // A paused stream is normally read until its buffer is full, and its end is emitted. As under node, a paused stream
  // with HTTP is not read at all, unless other code reads from it.
  pause(this: HttpSocket): void {
    stopHandle(this, listeners.data);
  },
  resume(this: HttpSocket): void {
    // Reading more of a request's body resumes the socket, too.
    if (this._paused) this.pause();
    else startHandle(this);
  },
};

const EVENTS = Object.keys(listeners) as (keyof typeof listeners)[];

/**
 * The socket's method `setTimeout`. node calls it when it has taken the handle from a socket to send that to another process, and then frees the parser
 * and detaches the response. No event tells of this. An accessor in the place of `socket.parser`, which node reads next, made a new connection
 * 7 % more expensive on Node 20.
 */
const tellingTimeout = function setTimeout(this: HttpSocket, ...given: Parameters<Socket['setTimeout']>): Socket {
  if (hasLostHandle(this)) {
    this[kOwner]?.sentAway();
    this._httpMessage?.detachSocket(this);
  }
  // Not that of its own prototype: an object that inherits from the socket has this function there.
  return Socket.prototype.setTimeout.apply(this, given);
};

/** Whether a connection receives the events of `socket` already. */
export function hasOwner(socket: Socket): boolean {
  return (socket as HttpSocket)[kOwner] !== undefined;
}

/**
 * Makes `owner` the receiver of the events of `socket`.
 *
 * @param first before the listeners that the socket has: the connection comes from node's own HTTP, whose listeners were the first
 */
export function listenTo(socket: HttpSocket, owner: SocketOwner, first: boolean): void {
  const known = kOwner in socket;
  socket[kOwner] = owner;
  if (first) for (const event of EVENTS) socket.prependListener(event, listeners[event]);
  else for (const event of EVENTS) socket.on(event, listeners[event]);
  socket.setEncoding = refuseEncoding;
  socket._paused = false;
  // Other streams have no handle to send, and a method that a program has put there stays.
  if (socket.setTimeout === Socket.prototype.setTimeout) defineOwn(socket, 'setTimeout', tellingTimeout);
  if (!known) readDirectly(socket, listeners.data);
}

/**
 * Removes the listeners. What else was put on the socket stays, as under node, whose `setEncoding()` throws on an upgraded socket, too: deleting a
 * property would make V8 keep the socket as a dictionary, which takes 1.3 kB more for as long as a WebSocket is open, with TLS 2.6. The hook of
 * `readDirectly` stays as well: without a listener of the engine every read goes through the stream.
 */
export function stopListening(socket: HttpSocket): void {
  for (const event of EVENTS) socket.removeListener(event, listeners[event]);
  startHandle(socket);
  socket[kOwner] = undefined;
  socket.parser = null;
}

/**
 * After one fault, later errors are ignored; without a listener they would end the process. Also beside a listener of the program's, which
 * may be removed before the client resets the connection.
 */
export function ignoreErrors(socket: HttpSocket): void {
  socket.removeListener('error', listeners.error);
  if (!socket.listeners('error').includes(noop)) socket.on('error', noop);
}

function refuseEncoding(): never {
  throw socketEncodingError();
}
