import { Socket } from 'node:net';
import { COPIES_HAVE_OWN_CLASSES } from './differences.js';

/**
 * Makes V8 treat the options of all sockets alike. `net.Socket` copies its options, and before V8 12 each copy that is made by
 * the shortcut for `{ ...options }` has a hidden class of its own: 29 reads of it miss their inline caches, which is 7.5 µs
 * of the 8 that a socket takes to make. One source without a prototype, and V8 gives the shortcut up for as long as the
 * code lives. Without keep-alive a request then costs 0.57 of node:http's where it was 0.72 (Node 20).
 *
 * It needs repeating: it does nothing before V8 collects feedback there, from about the tenth socket on, and is lost
 * when V8 throws the code away that nothing has called for a while.
 */
export function settleSocketOptions(): void {
  if (COPIES_HAVE_OWN_CLASSES) void new Socket(Object.create(null) as object);
}

/**
 * Sends FIN, and closes when that is done. Not both at once, though the kernel would send FIN behind what was written: with octets in
 * the receive buffer that nobody has read, of a client that sends its next request too early, closing sends RST instead, and the
 * client may lose the answer.
 *
 * By what the stream calls to shut the socket down and not by `end()`, whose events and ticks are 2 to 10 % of a request without
 * keep-alive (Node 24 and 20). Not for a socket somebody waits on to be finished, nor for TLS, whose end is a message of its own.
 */
export function shutDown(socket: Socket): boolean {
  if (
    Object.getPrototypeOf(socket) !== Socket.prototype ||
    typeof socket._final !== 'function' ||
    socket.writableLength !== 0 ||
    socket.writableEnded ||
    socket.listenerCount('finish') !== 0
  )
    return false;
  socket._final(() => socket.destroy());
  return true;
}

/** Lets out what was written while `socket` was corked, whoever has corked it, and however often. */
export function uncorkFully(socket: Socket): void {
  (socket as { _writableState?: { corked: number } })._writableState!.corked = 1;
  socket.uncork();
}
