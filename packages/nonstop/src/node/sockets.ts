import { Socket } from 'node:net';
import { COPIES_HAVE_OWN_CLASSES } from './differences.js';
import { hasMark } from './marks.js';

/** node's copy of the options has a prototype again. If `Object.prototype.fd` is set, the socket would take that file descriptor of the program. */
const NO_HANDLE = { fd: undefined, handle: undefined };

/**
 * Makes V8 treat the options of all sockets alike. `net.Socket` copies its options, and before V8 12 each copy made by
 * the fast path for `{ ...options }` has its own hidden class: 29 reads of it miss their inline caches, which costs 7.5
 * of the 8 µs that making a socket takes. After one source without a prototype, V8 stops using the fast path for this
 * code. A request without keep-alive then costs 0.57 of node:http's, where it was 0.72 (Node 20).
 *
 * It has to be repeated: it has no effect before V8 collects feedback there, from about the tenth socket on, and is lost
 * when V8 discards code that was not called for a while.
 */
export function unifySocketOptions(): void {
  if (COPIES_HAVE_OWN_CLASSES) void new Socket(Object.assign(Object.create(null) as object, NO_HANDLE));
}

const { destroySoon: nodesDestroySoon, end: nodesEnd } = Socket.prototype;

const ENDS_ARE_NODES = hasMark(nodesDestroySoon, 'this.end()') && hasMark(nodesEnd, 'Duplex.prototype.end.call(');

/**
 * Sends FIN, and closes when that is done. The kernel would send FIN on closing, too; but if the receive buffer has
 * unread octets, of a client that sends its next request too early, closing sends RST instead, and the client may lose
 * the response.
 *
 * It calls the stream's method for shutdown, not `end()`, whose events and ticks cost 2 to 10 % of a request without
 * keep-alive (Node 24 and 20). It is not used for a socket with a listener for `'finish'`, one whose `end()` or `destroySoon()` was replaced,
 * nor for TLS, whose end is its own message.
 */
export function shutDown(socket: Socket): boolean {
  if (
    !ENDS_ARE_NODES ||
    Object.getPrototypeOf(socket) !== Socket.prototype ||
    typeof socket._final !== 'function' ||
    socket.destroySoon !== nodesDestroySoon ||
    socket.end !== nodesEnd ||
    socket.writableLength !== 0 ||
    socket.writableEnded ||
    socket.listenerCount('finish') !== 0
  )
    return false;
  socket._final(() => socket.destroy());
  return true;
}

/** Sends what was written while `socket` was corked; removes all corks. */
export function uncorkFully(socket: Socket): void {
  for (let corks = socket.writableCorked; corks > 0; corks--) socket.uncork();
}

interface Counting {
  /** Without what waits in the stream; node keeps it when the socket is closed. */
  readonly _bytesDispatched?: number;
  readonly bytesWritten?: number;
}

/**
 * The octets that a socket has given to the system. `bytesWritten` also counts those that wait in its stream, which a closed connection never sends. 0 for a stream
 * that does not count.
 */
export function octetsSent(socket: object): number {
  const { _bytesDispatched, bytesWritten } = socket as Counting;
  return _bytesDispatched ?? bytesWritten ?? 0;
}

/** Whether the handle of an open socket was taken from it, as node does when the socket is sent to another process. */
export function hasLostHandle(socket: Socket): boolean {
  return (socket as { _handle?: unknown })._handle === null && !socket.destroyed;
}
