/**
 * Where a request or response of the engine stands. An object without one is not the engine's: node made it, or a test
 * double did, and every method of the engine's prototypes leaves it to node's own code.
 */
export const enum Life {
  /** node's own state has been built on the object: node's own code runs it from here. */
  Node = 0,
  /** The engine runs it on a few plain fields. */
  Lean = 1,
  /** Response: `end()` was called, its octets wait for the socket. */
  Ended = 2,
  /** Response: its octets were handed over and its last events are out. */
  Finished = 3,
}

export const kLife: unique symbol = Symbol('nonstop.life');
export const kConnection: unique symbol = Symbol('nonstop.connection');
