import { Socket } from 'node:net';
import type tls = require('node:tls');
import { lazy } from '../core/lazy.js';
import { viewOctets } from './octets.js';

/**
 * Takes what arrived on a socket.
 *
 * @param lent `chunk` may be written to again as soon as the call returns or runs a handler
 * @returns whether more of the same message is to come
 */
type Listener = (this: never, chunk: Buffer, lent?: boolean) => boolean;

interface Handle {
  onread: (data?: ArrayBuffer) => unknown;
  readonly bytesRead: number;
  readonly reading?: boolean;
  useUserBuffer?(buffer: Uint8Array): void;
  readStart(): void;
  readStop(): void;
}

interface ReadableSocket extends Socket {
  readonly _handle?: Handle | null;
  readonly _events: { readonly data?: unknown };
  readonly server?: unknown;
  _unrefTimer?(): void;
}

/** What node lets one read bring. */
const SIZE = 65_536;
/** From here on a read is given away with its memory instead of being copied. */
const LARGE = SIZE / 2;

/** What all connections read into, one after another. */
const shared = readBuffer();

function readBuffer(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(SIZE).buffer);
}

/**
 * Lets what is read from `socket` reach its `'data'` listener without the detour by the socket's stream, as node's own
 * parser does, which takes the handle's reads for itself; and lets the socket read into memory that all connections share,
 * as they do under node's parser, instead of 64 KiB made and cut to length for each read.
 *
 * The way is chosen anew for each read. Whatever makes the stream matter (another listener, none, `pause()`, octets in its
 * buffer), and the end and the errors of the connection, go node's way. Sockets that cannot read into a buffer, or may have
 * one already (`onread` of a client's socket), are left as they are.
 *
 * A handle never gives a buffer back: this is for good, whoever has the socket later.
 *
 * @param listener one that is added to the socket for `'data'` while the connection is the caller's
 */
export function readDirectly(socket: Socket, listener: Listener): void {
  const stream = socket as ReadableSocket;
  const handle = stream._handle;
  if (handle == null || !isAccepted(stream)) return;
  if (typeof handle.onread !== 'function' || typeof handle.bytesRead !== 'number') return;
  if (typeof handle.useUserBuffer !== 'function' || typeof stream._unrefTimer !== 'function') return;

  const reads = new DirectReads(stream, handle, listener);
  // A closure and not a property of the handle, which would cost a microsecond a connection. By way of a variable: V8 puts
  // a function literal that is assigned to a property into the old space.
  const onRead = (): Uint8Array | undefined => reads.take();
  handle.useUserBuffer(shared);
  handle.onread = onRead;
}

class DirectReads {
  private bytesRead: number;
  /** What the handle reads into. It is kept alive here: the handle itself knows an address and no more. */
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

  /** The handle has read. @returns what it is to read into from now on, undefined for the same as before */
  take(): Uint8Array | undefined {
    const { bytesRead } = this.handle;
    const length = bytesRead - this.bytesRead;
    this.bytesRead = bytesRead;
    if (length === 0) {
      // The end or an error, which only node's function can tell apart.
      this.throughStream.call(this.handle);
      return undefined;
    }
    if (length > LARGE && this.buffer !== shared) return this.giveAway(length);
    const more = this.deliver(length, true);
    if (this.buffer === shared && length <= LARGE) return undefined;
    return (this.buffer = more && length > LARGE ? readBuffer() : shared);
  }

  /** In the middle of something large: memory of its own spares each octet a copy, which was 40 % of an upload. */
  private giveAway(length: number): Uint8Array {
    const { handle, stream } = this;
    let more = false;
    // Who runs the event loop within a handler must not see the next read in memory that he has been given.
    handle.readStop();
    try {
      more = this.deliver(length, false);
    } catch (error) {
      handle.useUserBuffer!(shared);
      throw error;
    } finally {
      this.buffer = more ? readBuffer() : shared;
      if (stream._handle === handle && handle.reading) handle.readStart();
    }
    return this.buffer;
  }

  private deliver(length: number, lent: boolean): boolean {
    const { stream, handle, listener } = this;
    const data = this.buffer.buffer;
    if (stream._events.data === listener && stream.readableFlowing === true && stream.readableLength === 0) {
      if (stream.timeout) stream._unrefTimer!();
      return listener.call(stream as never, viewOctets(data, length), lent);
    }
    this.throughStream.call(handle, lent ? data.slice(0, length) : data);
    return length === SIZE;
  }
}

const nodeTls = lazy(() => require('node:tls') as typeof tls);

/** A socket of node's own making that a server has accepted. */
function isAccepted(stream: ReadableSocket): boolean {
  if (stream.server == null) return false;
  const prototype: unknown = Object.getPrototypeOf(stream);
  return prototype === Socket.prototype || ('encrypted' in stream && prototype === nodeTls().TLSSocket.prototype);
}
