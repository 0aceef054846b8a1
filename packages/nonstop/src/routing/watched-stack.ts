import type { RoutingDialect } from './dialect.js';
import type { WalkedLayer } from './shapes.js';

/** Where a router keeps its {@link WatchedStack}. */
export const kWatched: unique symbol = Symbol('nonstop.watchedStack');

/**
 * The stack of a router, which everybody may write into, with a count of the changes.
 *
 * Tools take layers out, put others in their place and move them about. To compare 1,000 layers with what they were costs
 * 2.5 µs a request; to compare a number costs nothing. So what the world sees as `router.stack` is a proxy that counts, while
 * a walk reads the array behind it.
 */
export class WatchedStack {
  readonly layers: WalkedLayer[] = [];
  readonly proxy: WalkedLayer[];
  /** That of its router: here it costs nothing to read. */
  readonly dialect: RoutingDialect;
  version = 0;

  constructor(dialect: RoutingDialect) {
    this.dialect = dialect;
    // Every way of writing ends in one of these two: assignment and `push` define, `splice` and `pop` delete as well.
    this.proxy = new Proxy(this.layers, {
      defineProperty: (layers, key, descriptor) => {
        this.version++;
        return Reflect.defineProperty(layers, key, descriptor);
      },
      deleteProperty: (layers, key) => {
        this.version++;
        return Reflect.deleteProperty(layers, key);
      },
    });
  }
}

/** Gives a router its `stack`. A user who assigns another array has that one, plain and unwatched. */
export function defineStack(router: object, dialect: RoutingDialect): void {
  const watched = new WatchedStack(dialect);
  Object.defineProperty(router, kWatched, { value: watched });
  Object.defineProperty(router, 'stack', {
    configurable: true,
    enumerable: true,
    get: () => watched.proxy,
    set(this: object, value: unknown) {
      Object.defineProperty(this, 'stack', { value, configurable: true, enumerable: true, writable: true });
    },
  });
}
