import type { Socket } from 'node:net';
import { socketEncodingError } from '../../core/errors.js';
import { isOnlyReader, readDirectly, startHandle, stopHandle } from '../../node/handle-reads.js';
import type { SocketState } from '../../node/message-state.js';
import type { EngineResponse, NodeServer } from '../message.js';

/** The connection's methods that the socket's listeners call. */
export interface SocketOwner {
  /**
   * @param lent true: `chunk` may be overwritten as soon as the call returns or runs a handler
   * @param atOnce true: other code reads the socket's stream, or it has no handle. node's parser is called from JavaScript then,
   * and no ticks run between the parts of a read
   * @returns whether more octets of the same message are expected
   */
  receive(chunk: Buffer, lent: boolean, atOnce: boolean): boolean;
  peerEnded(): void;
  closed(): void;
  fail(error: Error): void;
  timedOut(): void;
  drained(): void;
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
  data(this: HttpSocket, chunk: Buffer, lent?: boolean): boolean {
    // `lent` is given by the direct read alone.
    if (lent !== undefined) return this[kOwner]!.receive(chunk, lent, false);
    return this[kOwner]!.receive(chunk, false, !isOnlyReader(this, listeners.data));
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

/** Makes `owner` the receiver of the events of `socket`. */
export function listenTo(socket: HttpSocket, owner: SocketOwner): void {
  const known = kOwner in socket;
  socket[kOwner] = owner;
  socket.on('timeout', listeners.timeout);
  socket.on('data', listeners.data);
  socket.on('error', listeners.error);
  socket.on('end', listeners.end);
  socket.on('close', listeners.close);
  socket.on('drain', listeners.drain);
  socket.on('pause', listeners.pause);
  socket.on('resume', listeners.resume);
  socket.setEncoding = refuseEncoding;
  socket._paused = false;
  if (!known) readDirectly(socket, listeners.data);
}

/**
 * Removes the listeners and leaves the socket as if it had never carried HTTP. The hook of `readDirectly` stays: without
 * a listener of the engine every read goes through the stream.
 */
export function stopListening(socket: HttpSocket): void {
  for (const [event, listener] of Object.entries(listeners)) socket.removeListener(event, listener as () => void);
  startHandle(socket);
  delete (socket as Partial<Socket>).setEncoding;
  socket[kOwner] = undefined;
}

/** After one fault, later errors are ignored; without a listener they would end the process. */
export function ignoreErrors(socket: HttpSocket): void {
  socket.removeListener('error', listeners.error);
  if (socket.listenerCount('error') === 0) socket.on('error', noop);
}

function refuseEncoding(): never {
  throw socketEncodingError();
}
