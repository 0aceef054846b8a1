/**
 * Where a request or response of the engine stands. An object without one is not the engine's: node made it, or a test
 * double did, and every method of the engine's prototypes leaves it to node's own code.
 */
export const enum Life {
  /** node's own code runs it from here. */
  Node = 0,
  /** The engine runs it. */
  Lean = 1,
  /** Response: `end()` was called. The engine sends it and tells of its end. */
  Ended = 2,
}

export const kLife: unique symbol = Symbol('nonstop.life');
export const kConnection: unique symbol = Symbol('nonstop.connection');

/** The message of the engine that `holder` is, or inherits from. */
export function messageOf(holder: object): object | null {
  let owner: object | null = holder;
  while (owner !== null && !Object.hasOwn(owner, kLife)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner;
}

/**
 * The listeners of a request, by event: what node's `EventEmitter` makes as an object without a prototype. One from a constructor is
 * as bare, takes 5 ns where that takes 40, and a quarter of the memory.
 */
export const Listeners = function Listeners() {} as unknown as new () => object;
Listeners.prototype = Object.create(null);

/** Those of a response: as under node, who made it hears first that its answer is sent. */
export const ResponseListeners = function ResponseListeners(this: { finish: unknown }) {
  this.finish = onFinish;
} as unknown as new () => object;
ResponseListeners.prototype = Object.create(null);

interface Carried {
  readonly [kConnection]: { finished(message: unknown): void };
}

function onFinish(this: Carried): void {
  this[kConnection].finished(this);
}
