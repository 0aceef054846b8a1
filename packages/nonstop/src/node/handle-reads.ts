import { Socket } from 'node:net';
import type tls = require('node:tls');
import { onFirstUse } from '../core/lazy.js';
import { runTicks } from './callback-scope.js';
import { viewOctets } from './octets.js';

/**
 * Receives the octets that arrived on a socket.
 *
 * @param lent true: `chunk` may be overwritten as soon as the call returns or runs a handler
 * @returns how many octets of the same message are still to come; Infinity if that is not known
 */
type Listener = (this: never, chunk: Buffer, lent?: boolean) => number;

interface Handle {
  onread: (data?: ArrayBuffer) => unknown;
  readonly bytesRead: number;
  reading?: boolean;
  /** The handle below a handle of TLS. */
  readonly _parent?: Handle;
  useUserBuffer?(buffer: Uint8Array): void;
  readStart(): void;
  readStop(): void;
}

interface ReadableSocket extends Socket {
  readonly _handle?: Handle | null;
  readonly _events: { readonly data?: unknown; readonly readable?: unknown };
  readonly server?: unknown;
  _unrefTimer?(): void;
  /** The socket below TLS. */
  readonly _parent?: Socket | null;
}

/** The octets of a full read, as in node. */
const READ_SIZE = 65_536;
/** After a read of more than this, another one is expected, with the rest of a large message. */
const LARGE = READ_SIZE / 2;

/** The memory that all connections read into, one after another. */
const shared = readBuffer();

/** For reads shorter than this, one view of the shared memory for each length is made and used again: lent views are not kept. */
const VIEWS = 2048;
const views: (Buffer | null)[] = Array<null>(VIEWS).fill(null);

/** The first octets of the shared memory. */
function sharedView(length: number): Buffer {
  return length < VIEWS ? (views[length] ??= viewOctets(shared.buffer, length)) : viewOctets(shared.buffer, length);
}

function readBuffer(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(READ_SIZE).buffer);
}

/**
 * Passes what is read from `socket` directly to its `'data'` listener, without the socket's stream, as node's parser
 * does. The socket reads into memory that all connections share, instead of allocating 64 KiB for each read and cutting it
 * to length.
 *
 * The path is chosen for each read. node's own function handles the read if the stream matters (another listener or none,
 * octets in its buffer), and at the end and for errors of the connection. Sockets that cannot read into a buffer, or may
 * already have one (`onread` of a client's socket), are not changed.
 *
 * A handle cannot stop using a buffer, so this holds for the rest of the socket's life.
 *
 * @param listener the caller's `'data'` listener on the socket
 */
export function readDirectly(socket: Socket, listener: Listener): void {
  const stream = socket as ReadableSocket;
  const handle = stream._handle;
  if (handle == null || !isAccepted(stream)) return;
  if (typeof handle.onread !== 'function' || typeof handle.bytesRead !== 'number') return;
  if (typeof handle.useUserBuffer !== 'function' || typeof stream._unrefTimer !== 'function') return;

  nodesOnRead = handle.onread;
  const reads = new DirectReads(stream, handle, listener);
  // A closure, because a property on the handle would cost a microsecond for each connection. Through a variable, because
  // V8 allocates a function literal that is assigned to a property in old space.
  const onRead = (data?: ArrayBuffer): Uint8Array | undefined => reads.take(data);
  reads.hook = onRead;
  handle.useUserBuffer(shared);
  handle.onread = onRead;
}

/**
 * Runs the ticks of a read before the handle is given other memory. node runs them after the callback and, if one throws, drops the callback's
 * result: the handle would still read into the old memory, and octets of another connection would be taken from the new one. Only for large messages.
 *
 * @throws the error of a tick
 */
function throwOfTicks(): void {
  const thrown = runTicks();
  if (thrown !== null) throw thrown.error;
}

class DirectReads {
  /** The function that the handle calls. */
  hook: Handle['onread'] | undefined;
  private bytesRead: number;
  /** The memory that the handle reads into. This keeps it alive: the handle only has its address. */
  private buffer = shared;
  private readonly stream: ReadableSocket;
  private readonly handle: Handle;
  private readonly listener: Listener;
  private readonly throughStream: Handle['onread'];

  constructor(stream: ReadableSocket, handle: Handle, listener: Listener) {
    this.stream = stream;
    this.handle = handle;
    this.listener = listener;
    this.throughStream = handle.onread;
    this.bytesRead = handle.bytesRead;
  }

  /**
   * Called when the handle has read.
   *
   * @param data what was read, if the handle has not read into the memory that it was given
   * @returns the new memory to read into, undefined to keep the old one
   */
  take(data?: ArrayBuffer): Uint8Array | undefined {
    const { bytesRead } = this.handle;
    const length = bytesRead - this.bytesRead;
    this.bytesRead = bytesRead;
    if (length === 0 || data !== undefined) {
      // The end or an error: only node's function can tell them apart.
      this.throughStream.call(this.handle, data);
      return undefined;
    }
    if (length <= LARGE && this.buffer === shared) {
      this.deliver(length, true);
      return undefined;
    }
    return this.takeLarge(length);
  }

  /** {@link take} for a read after which the memory may have to change. */
  private takeLarge(length: number): Uint8Array | undefined {
    // A program's function around this one may drop its result: then the handle would go on with the old memory.
    const mayChange = this.handle.onread === this.hook;
    if (mayChange && length === READ_SIZE && this.buffer !== shared) return this.giveAway();
    // Only a full read can be given away. For a shorter rest the memory would be filled once and thrown away.
    const ofItsOwn = this.deliver(length, true) >= READ_SIZE && length > LARGE;
    if (!mayChange || ofItsOwn === (this.buffer !== shared)) return undefined;
    throwOfTicks();
    return (this.buffer = ofItsOwn ? readBuffer() : shared);
  }

  /** Passes a full read inside a large message on with its memory. This saves a copy of each octet, which was 40 % of an upload's cost. */
  private giveAway(): Uint8Array {
    const { handle, stream } = this;
    let more = false;
    // A handler that runs the event loop must not find the next read in memory that it was given.
    handle.readStop();
    try {
      more = this.deliver(READ_SIZE, false) >= READ_SIZE;
      throwOfTicks();
    } catch (error) {
      more = false;
      handle.useUserBuffer!(shared);
      throw error;
    } finally {
      this.buffer = more ? readBuffer() : shared;
      if (stream._handle === handle && handle.reading) handle.readStart();
    }
    return this.buffer;
  }

  /** @returns as a {@link Listener}; after a read for the stream, another one of the same size is expected */
  private deliver(length: number, lent: boolean): number {
    const { stream, handle, listener } = this;
    const { _events: events } = stream;
    // `flowing` is not checked: a paused socket has stopped its handle. A handle that still reads does so for the listener, as for node's parser.
    if (events.data === listener && events.readable === undefined && stream.readableLength === 0) {
      const view = this.buffer === shared ? sharedView(length) : viewOctets(this.buffer.buffer, length);
      const more = listener.call(stream as never, view, lent);
      // After the handlers, as node does it behind its parser: a timer of the same length that a handler has started is due first.
      if (stream.timeout || stream._parent?.timeout) stream._unrefTimer!();
      return more;
    }
    const data = this.buffer.buffer;
    this.throughStream.call(handle, lent ? data.slice(0, length) : data);
    return length;
  }
}

function isOnlyListener({ _events: events }: Partial<ReadableSocket>, listener: unknown): boolean {
  return events?.data === listener && events?.readable === undefined;
}

/** Node's function for what a handle has read: the same for all handles. */
let nodesOnRead: unknown;

/**
 * Whether node calls `listener`, and no other reader, with what arrives in the stream of a socket. False for a stream without node's handle, for TLS on
 * such a stream, and for a socket that is read directly: what comes in its stream was put there by a program, as those do that read the first octets of
 * a connection themselves. Ticks would run inside its call.
 */
export function isOnlyReader(socket: Socket, listener: unknown): boolean {
  const { _handle: handle } = socket as Partial<ReadableSocket>;
  if (handle == null || !isOnlyListener(socket as ReadableSocket, listener)) return false;
  return (nodesOnRead === undefined || handle.onread === nodesOnRead) && !isReadByPrograms(handle);
}

/** Stops reading a socket that only `listener` reads. A stream without node's handle is left alone. */
export function stopHandle(socket: Socket, listener: unknown): void {
  const { _handle: handle } = socket as ReadableSocket;
  if (!handle?.reading || !isOnlyListener(socket as ReadableSocket, listener)) return;
  handle.reading = false;
  handle.readStop();
}

/** Reads a socket again. */
export function startHandle(socket: Socket): void {
  const { _handle: handle } = socket as ReadableSocket;
  if (handle?.reading !== false) return;
  handle.reading = true;
  handle.readStart();
}

const nodeTls = onFirstUse(() => require('node:tls') as typeof tls);

/** A socket that node made for a connection that a server accepted, whose octets come from the kernel. */
function isAccepted(stream: ReadableSocket): boolean {
  if (stream.server == null) return false;
  const prototype: unknown = Object.getPrototypeOf(stream);
  if (prototype === Socket.prototype) return true;
  return 'encrypted' in stream && prototype === nodeTls().TLSSocket.prototype && !isReadByPrograms(stream._handle!);
}

/**
 * Whether a handle is that of TLS on a stream of JavaScript. What a program pushes there is decrypted, and read, inside its call: no ticks may run
 * until it returns, and in the memory that all connections share may be octets that are still being read.
 */
function isReadByPrograms(handle: Handle): boolean {
  let below = handle;
  while (below._parent != null) below = below._parent;
  return below !== handle && below.constructor.name === 'JSStream';
}
