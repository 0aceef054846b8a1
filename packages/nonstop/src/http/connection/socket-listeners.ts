import type { Socket } from 'node:net';
import { socketEncodingError } from '../../core/errors.js';
import { readDirectly } from '../../node/handle-reads.js';
import type { EngineResponse, NodeServer } from '../message.js';

/** What a socket tells the connection that it carries. */
export interface SocketOwner {
  /**
   * @param lent `chunk` may be written to again as soon as the call returns or runs a handler
   * @returns whether more of the same message is to come
   */
  receive(chunk: Buffer, lent: boolean): boolean;
  peerEnded(): void;
  closed(): void;
  fail(error: Error): void;
  timedOut(): void;
  drained(): void;
}

const kOwner: unique symbol = Symbol('nonstop.owner');

/** A socket that carries HTTP, with what node and the packages around it keep on one. */
export interface HttpSocket extends Socket {
  /** The response whose turn it is; graceful-shutdown packages tell idle connections by it. */
  _httpMessage?: EngineResponse | null;
  /** Reading has stopped until answers are taken; node's `IncomingMessage` does not resume a socket that says so. */
  _paused?: boolean;
  server?: NodeServer;
  /** node's own object for it; a stream that is no socket has none. */
  readonly _handle?: Handle | null;
  readonly _events?: { readonly data?: unknown; readonly readable?: unknown };
  [kOwner]?: SocketOwner;
}

interface Handle {
  reading?: boolean;
  readStart?: () => void;
  readStop?: () => void;
}

function noop(): void {}

// One function each for all connections: a listener costs a slot on the socket, not a closure.
const listeners = {
  timeout(this: HttpSocket): void {
    this[kOwner]!.timedOut();
  },
  data(this: HttpSocket, chunk: Buffer, lent = false): boolean {
    return this[kOwner]!.receive(chunk, lent);
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
  // A stream that is paused is read until its buffer is full, and its end is told. As under node one that carries HTTP is not read at
  // all, unless somebody else takes what it reads.
  pause(this: HttpSocket): void {
    const { _handle: handle, _events: events } = this;
    if (!handle?.reading || events?.data !== listeners.data || events.readable !== undefined) return;
    handle.reading = false;
    handle.readStop!();
  },
  resume(this: HttpSocket): void {
    // What asks a request for more of its body resumes the socket, too.
    if (this._paused) this.pause();
    else startHandle(this);
  },
};

function startHandle({ _handle: handle }: HttpSocket): void {
  if (handle?.reading !== false) return;
  handle.reading = true;
  handle.readStart!();
}

/** Makes `owner` hear what happens on `socket`. */
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
 * Takes the listeners back and leaves the socket as if it had never carried HTTP. What `readDirectly` has put on it stays:
 * without a listener of the engine's every read goes by the stream.
 */
export function stopListening(socket: HttpSocket): void {
  for (const [event, listener] of Object.entries(listeners)) socket.removeListener(event, listener as () => void);
  startHandle(socket);
  delete (socket as Partial<Socket>).setEncoding;
  socket[kOwner] = undefined;
}

/** After one fault further ones are of no interest, but must not crash the process as an unheard `'error'` would. */
export function ignoreErrors(socket: HttpSocket): void {
  socket.removeListener('error', listeners.error);
  if (socket.listenerCount('error') === 0) socket.on('error', noop);
}

function refuseEncoding(): never {
  throw socketEncodingError();
}
