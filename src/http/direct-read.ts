import { Socket } from 'node:net';
import { viewOctets } from '../core/octets.js';

type Listener = (this: never, chunk: Buffer) => void;

/** How a handle hands over what it read. */
export type OnRead = (this: object, data: ArrayBuffer | undefined) => void;

interface ReadableSocket extends Socket {
  readonly _handle?: { onread: OnRead; readonly bytesRead: number } | null;
  readonly _events: { readonly data?: unknown };
}

/**
 * Lets what is read from `socket` reach its `'data'` listener without the detour by the socket's stream, as node's own
 * parser does, which takes the handle's reads for itself. A read costs about a microsecond less that way, most of it for
 * the tick in which a stream looks whether it should read on.
 *
 * The way is chosen anew for each read. Whatever makes the stream matter (another listener, none, `pause()`, octets in
 * its buffer, `setTimeout()`), and the end and the errors of the connection, go node's way. So does a buffer that is not
 * full: Node 26 hands over that of a large read as libuv lent it, and only node's code knows what is in it. And so do TLS,
 * where that is so of every buffer, and sockets that have no handle of this kind.
 *
 * @param listener one that has been added to the socket for `'data'`
 * @returns node's way, for {@link readThroughStream}; undefined where it was not left
 */
export function readDirectly(socket: Socket, listener: Listener): OnRead | undefined {
  const stream = socket as ReadableSocket;
  const handle = stream._handle;
  if (handle == null || Object.getPrototypeOf(socket) !== Socket.prototype) return undefined;
  const throughStream = handle.onread;
  if (typeof throughStream !== 'function' || typeof handle.bytesRead !== 'number') return undefined;
  let bytesRead = handle.bytesRead;
  // A closure and not a property of the handle, which would cost a microsecond a connection. By way of a variable: V8 puts
  // a function literal that is assigned to a property into the old space.
  const onRead = (data: ArrayBuffer | undefined): void => {
    const before = bytesRead;
    bytesRead = handle.bytesRead;
    if (
      data === undefined ||
      data.byteLength !== bytesRead - before ||
      stream._events.data !== listener ||
      stream.readableFlowing !== true ||
      stream.readableLength !== 0 ||
      stream.timeout
    ) {
      throughStream.call(handle, data);
    } else {
      listener.call(socket as never, viewOctets(data));
    }
  };
  handle.onread = onRead;
  return throughStream;
}

/** Takes {@link readDirectly} back for good. */
export function readThroughStream(socket: Socket, throughStream: OnRead): void {
  const handle = (socket as ReadableSocket)._handle;
  if (handle != null) handle.onread = throughStream;
}
